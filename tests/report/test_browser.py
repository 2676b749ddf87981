"""The page in a headless Chromium: nothing is fetched, nothing fails, and it can be used on a phone and by keyboard."""

import json
import os
import shutil

import pytest
from support import ROOT, SUCCESS, wavefold
from test_page import FIXTURES, H200

# Who has no browser goes without these tests; where CI is set, what is missing is a failure.
if not os.environ.get("CI"):
    pytest.importorskip("selenium.webdriver")
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if (not BROWSER or not DRIVER) and not os.environ.get("CI"):
    pytest.skip("there is no chromium with its chromedriver", allow_module_level=True)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    page = tmp_path_factory.mktemp("page") / "page.html"
    results = [H200 / "progression.json", H200 / "reduce.json", H200 / "exact.json",
               ROOT / "results/amd-epyc/exact.json", *FIXTURES]
    assert wavefold("report", *results, "-q", "-o", page).returncode == SUCCESS
    return page.as_uri()


@pytest.fixture(scope="module")
def chromium():
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    # As root, in a container, there is neither a sandbox nor much shared memory.
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service(DRIVER), options=options)
    yield driver
    driver.quit()


@pytest.fixture
def page(chromium, address):
    """open(width, scheme): the page, loaded anew."""

    def load(width=1280, scheme="light", javascript=True):
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                 {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600})
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                 {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not javascript})
        chromium.get(address)
        return chromium

    return load


def test_loads_without_an_error_or_a_request(page, address):
    driver = page()
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    requested = {event["params"]["request"]["url"] for event in events
                 if event["method"] == "Network.requestWillBeSent"}
    assert {url for url in requested if not url.startswith("data:")} == {address}
    assert driver.get_log("browser") == []


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_overflow(page, width):
    driver = page(width)
    driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = true;")
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width


def luminance(colour):
    parts = [float(part) / 255 for part in colour[colour.index("(") + 1:-1].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(page, scheme):
    """4.5 for text and 3 for what is drawn, as WCAG 2 has it."""
    driver = page(scheme=scheme)
    paper = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (luminance(paper) < 0.5) == (scheme == "dark")
    colours = "return [...document.querySelectorAll(arguments[0])].map(e => getComputedStyle(e)[arguments[1]])"
    for selector, least in (("p, th, td, a, summary, dt, figcaption", 4.5), ("figure .wide text", 4.5)):
        key = "fill" if "text" in selector else "color"
        found = set(driver.execute_script(colours, selector, key))
        assert found and all(contrast(one, paper) >= least for one in found), (selector, found)
    bars = driver.execute_script(colours, "#ladder .wide path[style*='series']", "fill")
    drawn = {*bars, *driver.execute_script(colours, ".step path", "stroke")}
    assert len(drawn) >= 4 and all(contrast(one, paper) >= 3 for one in drawn if one != "none"), drawn


def test_step_control(page):
    driver = page()
    driver.execute_script("document.getElementById('rung-tiled_3').open = true")
    tree = driver.find_element(By.CSS_SELECTOR, "#rung-tiled_3 figure.tree")
    slider = tree.find_element(By.CSS_SELECTOR, "input[type=range]")
    back, forth = tree.find_elements(By.TAG_NAME, "button")

    def state():
        told = [item.text for item in tree.find_elements(By.CSS_SELECTOR, ".told > li") if item.is_displayed()]
        later = len(tree.find_elements(By.CSS_SELECTOR, "g.step.later"))
        return int(slider.get_attribute("value")), later, len(told), "".join(told)[:6]

    assert state() == (8, 0, 1, "step 7")
    back.click()
    assert state() == (7, 1, 1, "step 6")
    slider.send_keys(Keys.HOME)
    assert state() == (0, 8, 0, "")
    assert slider.get_attribute("aria-valuetext") == "before the first step"
    back.click()
    assert state() == (0, 8, 0, "")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert state() == (1, 7, 1, "step 0")
    forth.send_keys(Keys.ENTER)
    assert state() == (2, 6, 1, "step 1")
    assert slider.get_attribute("aria-valuetext").startswith("step 1: 32 lanes at work")


def test_without_javascript(page):
    driver = page(javascript=False)
    driver.find_element(By.CSS_SELECTOR, "#rung-tiled_3 > summary").click()
    tree = driver.find_element(By.CSS_SELECTOR, "#rung-tiled_3 figure.tree")
    assert not tree.find_element(By.CSS_SELECTOR, ".control").is_displayed()
    assert all(item.is_displayed() for item in tree.find_elements(By.CSS_SELECTOR, ".told > li"))
    assert driver.find_element(By.CSS_SELECTOR, "#rung-tiled_3 pre").is_displayed()


def test_names_for_who_cannot_see(page):
    """Every picture says what it shows, every control what it does; headings leave no level out."""
    driver = page()
    for selector in ("figure[role=img]", "svg[role=img]", "button", "input", "[role=region]", "pre"):
        found = driver.find_elements(By.CSS_SELECTOR, selector)
        assert found and all(one.get_attribute("aria-label") for one in found), selector
    bars = driver.find_element(By.CSS_SELECTOR, "#ladder figure").get_attribute("aria-label")
    assert "tiled_1 417, 9.2 %" in bars and "Reading alone" in bars
    levels = driver.execute_script("return [...document.querySelectorAll('h1,h2,h3,h4')].map(e => +e.tagName[1])")
    assert levels[0] == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:]))
    assert driver.execute_script("return document.documentElement.lang") == "en"


def test_a_link_opens_its_rung(page):
    driver = page()
    driver.execute_script("document.querySelector('#ladder details').open = true")
    driver.find_element(By.CSS_SELECTOR, "#ladder a[href='#rung-cascade']").click()
    assert driver.find_element(By.CSS_SELECTOR, "#rung-cascade pre").is_displayed()
