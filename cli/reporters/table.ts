/** Columns padded to their widest cell; the last one is free. `paint` sees the padded cell, so colours do not shift columns. */
export function table(rows: string[][], paint: (cell: string, column: number, row: number) => string): string[] {
    const widths: number[] = [];
    for (const row of rows) {
        row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
    }
    return rows.map((row, index) =>
        row
            .map((cell, column) => {
                const last = column === row.length - 1;
                return paint(last ? cell : cell.padEnd(widths[column] ?? 0), column, index);
            })
            .join('  ')
            .trimEnd()
    );
}

/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
    return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
