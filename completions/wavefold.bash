# Bash completion for wavefold and wavefold-mpi: subcommands, options, and the names that they take.

# Names of rungs in a list with commas: completes the last one, and offers none twice.
_wavefold_rungs() {
    local command=$1 current=$2 given name
    given=${current%"${current##*,}"}
    COMPREPLY=()
    while IFS= read -r name; do
        [[ ,$given == *",$name,"* ]] || COMPREPLY+=("$given$name")
    done < <(compgen -W "$("$command" rungs --names 2>/dev/null)" -- "${current##*,}")
    compopt -o nospace 2>/dev/null
}

# The colon of "host:64" breaks words unless the shell is told otherwise: what stands before the last one is already
# on the line, and must not be offered again.
_wavefold_devices() {
    local command=$1 current=$2 names
    names="auto host $("$command" devices --names 2>/dev/null)"
    mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
    fi
}

# The word under the cursor and the one before, with the pieces joined that bash made of "--option=value" and
# "host:64"; sets current and previous of the caller.
_wavefold_words() {
    local head
    head=${COMP_LINE:0:COMP_POINT}
    current=${head##*[[:space:]]}
    head=${head%"$current"}
    head=${head%"${head##*[![:space:]]}"}
    previous=${head##*[[:space:]]}
    if [[ $current == --*=* ]]; then
        previous=${current%%=*}
        current=${current#*=}
    fi
}

_wavefold_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# The options that every subcommand takes.
_wavefold_common="--json --quiet --help --usage --version"

# Arguments of the options that say what is folded and where; fails for other options. more: further operators.
_wavefold_fold() {
    local command=$1 current=$2 previous=$3 more=$4
    case $previous in
    -t | --type) mapfile -t COMPREPLY < <(compgen -W "f32 f64 i32 i64 u32 u64 i8 i16 u8 u16 f16 bf16" -- "$current") ;;
    -o | --op) mapfile -t COMPREPLY < <(compgen -W "$("$command" operators --names 2>/dev/null) $more" -- "$current") ;;
    --accumulator) mapfile -t COMPREPLY < <(compgen -W "i32 i64 u32 u64 f32 f64" -- "$current") ;;
    --nan) mapfile -t COMPREPLY < <(compgen -W "propagate ignore" -- "$current") ;;
    -d | --device) _wavefold_devices "$command" "$current" ;;
    -n | --n) ;;
    *) return 1 ;;
    esac
}

_wavefold_listing() {
    local current=$1 previous=$2
    case $previous in
    --json) _wavefold_files "$current" ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$_wavefold_common" -- "$current") ;;
    esac
}

# more: further options.
_wavefold_reduce() {
    local command=$1 current=$2 previous=$3 more=$4
    _wavefold_fold "$command" "$current" "$previous" "describe all any" && return
    if [[ $previous == --accuracy ]]; then
        mapfile -t COMPREPLY < <(compgen -W "best fast exact" -- "$current")
    elif [[ $previous == --axis ]]; then
        return
    elif [[ $current == -* && $previous != --json && $previous != --state && $previous != --output ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--op --type --accumulator --nan --accuracy --n --raw --device --state \
            $more $_wavefold_common" -- "$current")
    else
        _wavefold_files "$current"
    fi
}

# scan, sort and count. more: the options of one of them.
_wavefold_array() {
    local command=$1 current=$2 previous=$3 more=$4
    case $previous in
    -o | --op) mapfile -t COMPREPLY < <(compgen -W "sum product min max argmin argmax matmul affine" -- "$current") ;;
    --by) mapfile -t COMPREPLY < <(compgen -W "value count" -- "$current") ;;
    --axis | --initial | --top) ;;
    *)
        _wavefold_fold "$command" "$current" "$previous" && return
        if [[ $current == -* && $previous != --json && $previous != --output ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$more --type --n --raw --device --output $_wavefold_common" \
                -- "$current")
        else
            _wavefold_files "$current"
        fi
        ;;
    esac
}

_wavefold_merge() {
    local current=$1 previous=$2
    case $previous in
    -o | --op) mapfile -t COMPREPLY < <(compgen -W "sum mean" -- "$current") ;;
    -t | --type) mapfile -t COMPREPLY < <(compgen -W "f16 bf16 f32 f64" -- "$current") ;;
    *)
        if [[ $current == -* && $previous != --json && $previous != --state ]]; then
            mapfile -t COMPREPLY < <(compgen -W "--op --type --state $_wavefold_common" -- "$current")
        else
            _wavefold_files "$current"
        fi
        ;;
    esac
}

_wavefold_tune() {
    local command=$1 current=$2 previous=$3
    case $previous in
    -d | --device) _wavefold_devices "$command" "$current" ;;
    --json) _wavefold_files "$current" ;;
    --most) ;;
    *)
        mapfile -t COMPREPLY < <(compgen -W "--device --most --dry-run --show $_wavefold_common" -- "$current")
        ;;
    esac
}

# Names of the rungs that reduce, which are what a sum is put against.
_wavefold_reducing() {
    local line name
    while IFS= read -r line; do
        [[ $line == ' '* ]] || name=$line
        [[ $line != *' kind '*' reduces' ]] || echo "$name"
    done < <("$1" rungs 2>/dev/null)
}

_wavefold_try() {
    local command=$1 current=$2 previous=$3
    case $previous in
    --against) mapfile -t COMPREPLY < <(compgen -W "$(_wavefold_reducing "$command")" -- "$current") ;;
    -w | --wave) mapfile -t COMPREPLY < <(compgen -W "32 64 both" -- "$current") ;;
    --task)
        mapfile -t COMPREPLY < <(compgen -W "sum max min inclusive-sum exclusive-sum sort-ascending sort-descending \
            dot mean sumsq norm argmax argmin histogram count" -- "$current")
        ;;
    --seconds | --new) ;;
    *)
        if [[ $current == -* && $previous != --json ]]; then
            mapfile -t COMPREPLY < <(compgen -W "--against --seconds --new --plain --wave --task --watch --verbose \
                $_wavefold_common" -- "$current")
        else
            _wavefold_files "$current"
        fi
        ;;
    esac
}

_wavefold_report() {
    local current=$1 previous=$2
    if [[ $current == -* && $previous != --json && $previous != -o && $previous != --output ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--output $_wavefold_common" -- "$current")
    else
        _wavefold_files "$current"
    fi
}

_wavefold_progression() {
    local command=$1 current=$2 previous=$3
    _wavefold_fold "$command" "$current" "$previous" && return
    case $previous in
    --family) mapfile -t COMPREPLY < <(compgen -W "amp code wave grid ordered one_wave scan sort rows beyond all" \
        -- "$current") ;;
    -r | --rungs) _wavefold_rungs "$command" "$current" ;;
    -i | --input | --json | --csv) _wavefold_files "$current" ;;
    --seed | --tile | --tiles | --window | --row-length | --repeat) ;;
    *)
        mapfile -t COMPREPLY < <(compgen -W "--n --type --op --accumulator --nan --exclusive --descending --input \
            --raw --seed --device --rungs --family --tile --tiles --window --row-length --repeat --csv \
            $_wavefold_common" \
            -- "$current")
        ;;
    esac
}

_wavefold_explain() {
    local command=$1 current=$2 previous=$3
    case $previous in
    -w | --wave) mapfile -t COMPREPLY < <(compgen -W "32 64" -- "$current") ;;
    --svg | --json) _wavefold_files "$current" ;;
    -n | --n | --tile | --row-length) ;;
    *)
        if [[ $current == -* && $previous != --against ]]; then
            mapfile -t COMPREPLY < <(compgen -W "--wave --n --tile --row-length --against --trace --svg --lines \
                $_wavefold_common" -- "$current")
        else
            mapfile -t COMPREPLY < <(compgen -W "$("$command" rungs --names 2>/dev/null)" -- "$current")
        fi
        ;;
    esac
}

# All but help and version.
_wavefold_subcommands="progression reduce scan sort count merge devices rungs explain operators tune try report"

_wavefold() {
    local command=$1 current previous
    COMPREPLY=()
    _wavefold_words
    if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$_wavefold_subcommands help version" -- "$current")
        return
    fi
    case ${COMP_WORDS[1]} in
    devices | rungs | operators) _wavefold_listing "$current" "$previous" ;;
    reduce) _wavefold_reduce "$command" "$current" "$previous" "--axis --keepdims --output" ;;
    scan)
        _wavefold_array "$command" "$current" "$previous" \
            "--op --accumulator --nan --axis --exclusive --reverse --initial --as-elements"
        ;;
    sort) _wavefold_array "$command" "$current" "$previous" "--axis --descending --positions" ;;
    count) _wavefold_array "$command" "$current" "$previous" "--by --top" ;;
    merge) _wavefold_merge "$current" "$previous" ;;
    explain) _wavefold_explain "$command" "$current" "$previous" ;;
    tune) _wavefold_tune "$command" "$current" "$previous" ;;
    try) _wavefold_try "$command" "$current" "$previous" ;;
    report) _wavefold_report "$current" "$previous" ;;
    help) ((COMP_CWORD > 2)) || mapfile -t COMPREPLY < <(compgen -W "$_wavefold_subcommands" -- "$current") ;;
    progression | -*) _wavefold_progression "$command" "$current" "$previous" ;;
    esac
}

# Names of operators and devices are told by wavefold, which needs no MPI.
_wavefold_mpi() {
    local command=$1 current previous
    COMPREPLY=()
    _wavefold_words
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "reduce help version --help --usage --version" -- "$current")
    elif ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "reduce" -- "$current")
    elif [[ ${COMP_WORDS[1]} == reduce ]]; then
        _wavefold_reduce "${command%-mpi}" "$current" "$previous" "--check --progress"
    fi
}

complete -F _wavefold wavefold
complete -F _wavefold_mpi wavefold-mpi
