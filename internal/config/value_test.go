package config

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParsePositiveTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"300": 300 * time.Second, "1.5": 1500 * time.Millisecond, ".5": 500 * time.Millisecond, "5.": 5 * time.Second,
		"90s": 90 * time.Second, "1h30m": 90 * time.Minute, "+5s": 5 * time.Second, "9223372036": 9223372036 * time.Second,
		"": 0, "0": 0, "0s": 0, "-1": 0, "-1s": 0, "1e3": 0, "0x10": 0, "inf": 0, "nan": 0, "1_000": 0, "5 s": 0, "five": 0, ".": 0,
		"1.2.3": 0, "9223372037": 0, "1" + "000000000000000000000000000000000000000000": 0, "٣": 0, "300\n": 0, "2562048h": 0,
	} {
		got, err := parsePositiveTime(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseTimeout(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want time.Duration
		err  string
	}{
		{"90", 90 * time.Second, ""}, {"1.5", 1500 * time.Millisecond, ""}, {"0", 0, ""}, {"0s", 0, ""}, {"2m30s", 150 * time.Second, ""},
		{"500ms", 500 * time.Millisecond, ""}, {"9223372036", 9223372036 * time.Second, ""},
		{"1e300", 0, "neither"}, {"Inf", 0, "neither"}, {"9223372037", 0, "too long"},
		{"-1s", 0, "negative"}, {"-1ns", 0, "negative"}, {"-1", 0, "negative"}, {"", 0, "neither"}, {"NaN", 0, "neither"},
		{"soon", 0, "neither"}, {"5 s", 0, "neither"}, {"1h!", 0, "neither"},
	} {
		got, err := ParseTimeout(tt.in)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) || got != tt.want {
			t.Errorf("ParseTimeout(%q) = %v, %v; want %v, %q", tt.in, got, err, tt.want, tt.err)
		}
	}
}

func TestParseSize(t *testing.T) {
	const bad = -1
	for text, want := range map[string]int64{
		"0": 0, "51200": 51200, "1b": 1, "1k": 1024, "1K": 1024, "1KiB": 1024, "1kb": 1000, "256MiB": 256 << 20, "256 mib": 256 << 20,
		"10 GiB": 10 << 30, "1.5G": 3 << 29, "2TB": 2e12, "1T": 1 << 40, "9223372036854775807": math.MaxInt64, "8388607T": 8388607 << 40,
		"": bad, "-1": bad, "+1": bad, "1e3": bad, "0x10": bad, "1  k": bad, " 1k": bad, "1k ": bad, "k": bad, "1kk": bad, "1i": bad, "1PiB": bad,
		"9223372036854775808": bad, "8388608T": bad, "9007199254740993T": bad, "nan": bad, "1.2.3k": bad, ".": bad,
	} {
		got, err := ParseSize(text)
		if (err == nil) != (want != bad) || err == nil && got != want {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestSizeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Int64Range(0, math.MaxInt64), rapid.Custom(func(t *rapid.T) int64 {
			return rapid.Int64Range(0, 1<<20).Draw(t, "n") << rapid.IntRange(0, 42).Draw(t, "shift")
		})).Draw(t, "size")
		if got, err := ParseSize(FormatSize(n)); got != n || err != nil {
			t.Fatalf("%d -> %s -> %d, %v", n, FormatSize(n), got, err)
		}
	})
}

func TestTimeoutRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A float64 is exact to the nanosecond for some hundred days.
		d := time.Duration(rapid.Int64Range(1, int64(100*24*time.Hour)).Draw(t, "d"))
		if got, err := ParseTimeout(seconds(d)); got != d || err != nil {
			t.Fatalf("%d -> %s -> %d, %v", d, seconds(d), got, err)
		}
	})
}
