/** Lines between where a person and the parser see a call begin. */
const NEAR = 3;

/**
 * Gives each call that was found by hand the site of the report that is the same call.
 * @returns `{ file, site, report }` per call; `report` is absent where it was missed
 */
export function joinSites(entry, reported) {
    const known = entry.files.flatMap(({ path, callSites }) => callSites.map(site => ({ file: path, site })));
    const free = new Set(reported);
    const found = new Map();
    for (const reach of [0, NEAR]) {
        for (const one of known) {
            if (found.has(one)) continue;
            const candidates = [...free]
                .filter(report => report.file === one.file && distance(report, one.site) <= reach)
                .sort((a, b) => fit(b, one.site) - fit(a, one.site) || distance(a, one.site) - distance(b, one.site));
            if (candidates[0] === undefined) continue;
            free.delete(candidates[0]);
            found.set(one, candidates[0]);
        }
    }
    return known.map(one => ({ ...one, report: found.get(one) ?? throughWrapper(one, reported) }));
}

/** A call of a function that was given the ask, or of one that wraps it: where the ask itself is, it is rewritten. */
function throughWrapper({ file, site }, reported) {
    if (!site.indirect) return undefined;
    const same = reported.filter(({ kind }) => kind === site.kind);
    const here = same.filter(report => report.file === file);
    return (here.length > 0 ? here : same).toSorted((a, b) => WORST.indexOf(a.status) - WORST.indexOf(b.status))[0];
}

const WORST = ['manual', 'skipped', 'review', 'migrated'];

function distance({ line, endLine }, site) {
    if (site.line < line) return line - site.line;
    return Math.max(0, site.line - endLine);
}

const fit = (report, site) => (report.kind === site.kind ? 1 : 0);
