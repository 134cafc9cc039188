package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pi/cmd"
)

// book describes the man pages to be generated.
type book struct {
	name    string // of the program
	version string
	date    string // YYYY-MM-DD
}

// writeMan writes a man page for each command and each user page into dir/man1, man5 and man7.
func (m book) writeMan(dir string, docs []source) error {
	root := cmd.Tree(m.name)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	var topics []string
	for _, s := range docs {
		r := newRoff(m.head(m.topicName(s), s.section(), s.title))
		r.macro("SH", "DESCRIPTION")
		r.blocks(renameBlocks(s.blocks[1:], m.name))
		r.see(m.name + "(1)")
		if err := m.write(dir, m.topicName(s), s.section(), r); err != nil {
			return err
		}
		topics = append(topics, fmt.Sprintf("%s(%d)", m.topicName(s), s.section()))
	}
	return m.writeCommand(dir, root, topics)
}

// section is 5 for the format of the configuration file, 7 for everything else.
func (s source) section() int {
	if s.topic == "configuration" {
		return 5
	}
	return 7
}

func (m book) topicName(s source) string { return m.name + "-" + s.topic }

func (m book) head(name string, section int, about string) head {
	return head{name: name, section: section, about: about, version: "pi " + m.version, date: m.date}
}

func (m book) write(dir, name string, section int, r *roff) error {
	dir = filepath.Join(dir, fmt.Sprintf("man%d", section))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s.%d", name, section)), []byte(r.String()), 0o644)
}

// writeCommand writes the page of c and those of its subcommands. See are further pages to refer to.
func (m book) writeCommand(dir string, c *cobra.Command, see []string) error {
	c.InitDefaultHelpFlag()
	name := pageOf(c)
	r := newRoff(m.head(name, 1, c.Short))
	r.macro("SH", "SYNOPSIS")
	r.line(`\fB` + escapeCode(c.UseLine()) + `\fR`)
	r.macro("SH", "DESCRIPTION")
	r.prose(cmp.Or(c.Long, c.Short+"."))
	r.options("OPTIONS", c.NonInheritedFlags())
	r.options("GLOBAL OPTIONS", c.InheritedFlags())
	subs := slices.DeleteFunc(slices.Clone(c.Commands()), func(s *cobra.Command) bool { return !s.IsAvailableCommand() && s.Name() != "help" })
	if len(subs) > 0 {
		r.macro("SH", "COMMANDS")
	}
	for _, s := range subs {
		r.macro("TP")
		r.line(`\fB` + escapeCode(s.Name()) + `\fR`)
		r.fill(escape(s.Short))
	}
	if c.Example != "" {
		r.macro("SH", "EXAMPLES")
		lines := strings.Split(strings.Trim(c.Example, "\n"), "\n")
		for i, l := range lines {
			lines[i] = strings.TrimPrefix(l, "  ")
		}
		r.code(lines)
	}
	if c.HasParent() {
		see = append([]string{pageOf(c.Parent()) + "(1)"}, see...)
	}
	for _, s := range subs {
		see = append(see, pageOf(s)+"(1)")
	}
	slices.Sort(see)
	r.see(see...)
	if err := m.write(dir, name, 1, r); err != nil {
		return err
	}
	for _, s := range subs {
		if err := m.writeCommand(dir, s, nil); err != nil {
			return err
		}
	}
	return nil
}

func pageOf(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// prose writes the paragraphs of a help text. Indented lines stay as they are.
func (r *roff) prose(text string) {
	for p := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		lines := strings.Split(p, "\n")
		if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  ") }) {
			r.code(lines)
			continue
		}
		r.macro("PP")
		r.fill(marked(p))
	}
}

func (r *roff) options(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	r.macro("SH", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		r.macro("TP")
		option := `\fB` + escapeCode("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			option = `\fB` + escapeCode("-"+f.Shorthand) + `\fR, ` + option
		}
		if value != "" {
			option += ` \fI` + escapeCode(value) + `\fR`
		}
		r.line(option)
		r.fill(escape(usage))
	})
}

// see writes the references to other pages, each written NAME(SECTION).
func (r *roff) see(pages ...string) {
	r.macro("SH", "SEE ALSO")
	for i, p := range pages {
		name, section, _ := strings.Cut(p, "(")
		comma := ","
		if i == len(pages)-1 {
			comma = ""
		}
		r.line(`\fB` + escapeCode(name) + `\fR(` + section + comma)
	}
}

func renameBlocks(list []block, name string) []block {
	list = slices.Clone(list)
	for i, b := range list {
		b.text = cmd.Rename(b.text, name)
		b.lines = slices.Clone(b.lines)
		for n, l := range b.lines {
			b.lines[n] = cmd.Rename(l, name)
		}
		b.rows = slices.Clone(b.rows)
		for n, row := range b.rows {
			b.rows[n] = slices.Clone(row)
			for c, cell := range row {
				b.rows[n][c] = cmd.Rename(cell, name)
			}
		}
		list[i] = b
	}
	return list
}
