package shell

import (
	"bufio"
	"slices"
	"strconv"
	"strings"
)

// dumpArgs makes the shell read its rc files as an interactive one and then tell what they left: `-i` sets what
// guards at the top of rc files look at ($-, $PS1), and `-c` comes after them. An answer begins and ends with marks.
func dumpArgs(s Shell, channel, mark string) []string {
	name, start, body := "bash", bashDumpStart, bashDump
	if s.Kind == Zsh {
		name, start, body = "zsh", zshDumpStart, zshDump
	}
	body = strings.NewReplacer("{CHANNEL}", quoteWord(channel), "{MARK}", mark).Replace(body)
	return []string{name, "-i", "-c", start + quoteWord(body)}
}

// bashDumpStart makes the ground firm, whatever the rc files defined: in posix mode the special builtins set, trap
// and unset come before functions of their name, and a backslash keeps aliases away. What follows is parsed when it
// is run, with aliases off.
const bashDumpStart = `POSIXLY_CORRECT=1
\set +euxvC
\trap - DEBUG ERR RETURN EXIT
\unset -f builtin shopt eval printf declare alias compgen kill set trap unset command
\unset POSIXLY_CORRECT
\builtin shopt -u expand_aliases
\builtin eval `

// bashDump tells everything by builtins, and functions all at once, since thousands of them would take a loop too long.
// `declare -F` gives a function's file under extdebug. The kill spares history, traps and logout files.
const bashDump = `
set -f
IFS=$'\n'
{
	printf '\0B%s\0' {MARK}
	for __pi_n in extglob globstar dotglob nullglob nocaseglob nocasematch; do
		if shopt -q "$__pi_n"; then printf 'O\0%s\0' "$__pi_n"; fi
	done
	printf 'L\0'; alias -p; printf '\0'
	for __pi_n in $(compgen -e); do
		printf 'E\0%s\0%s\0' "$__pi_n" "${!__pi_n}"
	done
	__pi_n=($(declare -F))
	__pi_n=("${__pi_n[@]#declare -* }")
	printf 'G\0%s\0' "${__pi_n[*]}"; declare -f
	shopt -s extdebug
	printf '\0'; declare -F -- "${__pi_n[@]}"
	printf '\0'
	printf '\0Z%s\0' {MARK}
} >{CHANNEL}
kill -KILL $$
`

const zshDumpStart = `\builtin setopt noaliases noerrexit noxtrace noverbose unset
\builtin unfunction builtin emulate print printf typeset kill setopt eval 2>/dev/null
\builtin eval `

// zshDump reads the tables of zsh/parameter in pairs, so that no name is ever taken for a subscript.
const zshDump = `
typeset -A __pi_o
__pi_o=("${(@kv)options[@]}")
emulate -R zsh
setopt noaliases
unfunction -m 'TRAP*' 2>/dev/null
{
	printf '\0B%s\0' {MARK}
	for __pi_n in extendedglob globdots nullglob nomatch globstarshort numericglobsort caseglob casematch kshglob shwordsplit \
		ksharrays rcexpandparam magicequalsubst equals; do
		if [[ ${__pi_o[$__pi_n]} != ${options[$__pi_n]} ]]; then
			if [[ ${__pi_o[$__pi_n]} = on ]]; then print -rN -- O $__pi_n; else print -rN -- O no$__pi_n; fi
		fi
	done
	for __pi_n __pi_v in "${(@kv)aliases}"; do print -rN -- A "$__pi_n" "$__pi_v"; done
	for __pi_n in "${(@)fpath}"; do print -rN -- P "$__pi_n"; done
	for __pi_n __pi_v in "${(@kv)parameters}"; do
		if [[ $__pi_v = *export* ]]; then print -rN -- E "$__pi_n" "${(P)__pi_n}"; fi
	done
	for __pi_n __pi_v in "${(@kv)functions}"; do print -rN -- F "$__pi_n" "${functions_source[$__pi_n]}" "$__pi_v"; done
	printf '\0Z%s\0' {MARK}
} >{CHANNEL}
kill -KILL $$
`

// namesLead begins the line of a script that tells what it teaches the shell. Sessions read it.
const namesLead = "# names"

// script writes what a shell of the kind sources: the names, then functions, while no alias is there that could change
// them. The last command leaves $? and $_ as they are in a shell that has run nothing.
func (t told) script(k Kind, functions []function, aliases []alias) []byte {
	b := []byte(namesLead)
	for _, f := range functions {
		b = strconv.AppendQuoteToASCII(append(b, ' '), f.name)
	}
	for _, a := range aliases {
		b = strconv.AppendQuoteToASCII(append(b, ' '), a.name)
	}
	b = append(b, '\n')
	add := func(words ...string) {
		for _, w := range words {
			b = append(b, w...)
		}
	}
	if k == Zsh {
		add("unset ZDOTDIR\nsetopt norcs\n")
		if len(t.fpath) > 0 {
			add("fpath=(")
			for _, d := range t.fpath {
				add(" ", quoteWord(d))
			}
			add(" )\n")
		}
	} else {
		add("unset BASH_ENV\nshopt -s extglob\n")
	}
	b = appendFunctions(b, k, functions)
	on := "setopt "
	if k == Bash {
		on = "shopt -s "
		add("shopt -s expand_aliases\n")
		if !slices.Contains(t.options, "extglob") {
			add("shopt -u extglob\n")
		}
	}
	if len(t.options) > 0 {
		add(on, strings.Join(t.options, " "), " 2>/dev/null\n")
	}
	if len(aliases) > 0 {
		add("alias --")
		for _, a := range aliases {
			add(" ", quoteWord(a.name), "=", quoteWord(a.value))
		}
		add(" >/dev/null 2>&1\n")
	}
	if k == Zsh {
		add(": ''\n")
	} else {
		add(`: "$0"`, "\n")
	}
	return b
}

// appendFunctions writes definitions. bash tells whole ones, zsh bodies.
func appendFunctions(b []byte, k Kind, list []function) []byte {
	for _, f := range list {
		if k == Zsh {
			b = append(b, quoteWord(f.name)...)
			b = append(b, " () {\n"...)
			b = append(b, f.text...)
			b = append(b, "\n}\n"...)
			continue
		}
		if !plainName(f.name) {
			b = append(b, "function "...) // without it an odd name is taken for an assignment, an option or a pattern
		}
		b = append(b, f.text...)
		if !strings.HasSuffix(f.text, "\n") {
			b = append(b, '\n')
		}
	}
	return b
}

// learnt reads the names of the functions and aliases that a script teaches; ok is false if it does not tell them.
func learnt(path string) (names map[string]bool, ok bool) {
	f, err := openPrivate(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	r := bufio.NewReader(f)
	if _, err := readHeader(r); err != nil {
		return nil, false
	}
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, false
	}
	return namesIn(strings.TrimSuffix(line, "\n"))
}

func namesIn(line string) (names map[string]bool, ok bool) {
	rest, ok := strings.CutPrefix(line, namesLead)
	if !ok {
		return nil, false
	}
	names = map[string]bool{}
	for rest != "" {
		quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(rest, " "))
		if err != nil {
			return nil, false
		}
		name, err := strconv.Unquote(quoted)
		if err != nil || rest[0] != ' ' {
			return nil, false
		}
		names[name], rest = true, rest[1+len(quoted):]
	}
	return names, true
}

func plainName(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 || r != '-' && !nameByte(byte(r)) }) < 0
}

// quoteWord makes one word of a text for any POSIX shell.
func quoteWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
