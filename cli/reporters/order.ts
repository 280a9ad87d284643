interface Placed {
    file?: string | undefined;
    line?: number | undefined;
    column?: number | undefined;
}

/**
 * By file and position, what has no file first. By code units, not by locale: the same project gives the same output
 * on every machine.
 */
export function byPosition(a: Placed, b: Placed): number {
    return (
        byCodeUnits(a.file ?? '', b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
    );
}

export function byCodeUnits(a: string, b: string): number {
    if (a === b) return 0;
    return a < b ? -1 : 1;
}
