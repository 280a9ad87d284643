/** One line of the demo: `>` to the server, `<` from it, `?` what the user sees, `!` the scripted answer. */
export function say(sign, text) {
    console.log(`  ${sign} ${text}`);
}

export function heading(text) {
    console.log(`\n== ${text}`);
}

export function shorten(text) {
    const line = text.trim().replaceAll(/\s+/g, ' ');
    return line.length > 110 ? `${line.slice(0, 109)}…` : line;
}
