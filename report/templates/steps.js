// The step control of each tree: what comes later is faint, the present step stands out, and its words are shown alone.
"use strict";
for (const figure of document.querySelectorAll("figure.tree")) {
    const control = figure.querySelector(".control");
    const slider = control.querySelector("input");
    const steps = figure.querySelectorAll("g.step");
    const told = figure.querySelectorAll(".told > li");
    const show = () => {
        const now = Number(slider.value) - 1; // 0 on the slider: nothing is done yet
        steps.forEach((step, i) => {
            step.classList.toggle("later", i > now);
            step.classList.toggle("now", i === now);
        });
        told.forEach((item, i) => { item.hidden = i !== now; });
        const text = now < 0 ? "before the first step" : told[now].querySelector("summary").textContent;
        slider.setAttribute("aria-valuetext", text);
    };
    for (const button of control.querySelectorAll("button"))
        button.addEventListener("click", () => {
            slider.value = Number(slider.value) + Number(button.dataset.move);
            show();
        });
    slider.addEventListener("input", show);
    control.hidden = false;
    show();
}
// A link to a rung opens it, in browsers that do not do so themselves.
const open = () => {
    const target = location.hash.startsWith("#rung-") && document.getElementById(location.hash.slice(1));
    if (target)
        target.open = true;
};
addEventListener("hashchange", open);
open();
