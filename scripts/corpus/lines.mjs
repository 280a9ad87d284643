/** Columns that are as wide as they have to be, the first to the left and the others to the right. */
export function lines(rows) {
    const texts = rows.map(cells => cells.map(String));
    const widths = texts[0].map((_, column) => Math.max(...texts.map(cells => cells[column].length)));
    return texts
        .map(([first, ...others]) =>
            [first.padEnd(widths[0]), ...others.map((cell, index) => cell.padStart(widths[index + 1]))]
                .join('  ')
                .trimEnd()
        )
        .join('\n');
}

export const percent = share => `${(share * 100).toFixed(1)} %`;
