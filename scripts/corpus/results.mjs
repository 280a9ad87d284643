import { lines, percent } from './lines.mjs';

const LABELS = ['mechanical', 'thread-ctx', 'url-special', 'cannot', 'mixed', 'manual', 'framework', 'test'];
const STATUSES = ['migrated', 'review', 'manual', 'skipped', 'missed'];

/** A handler of `roots/list_changed` is no call: what becomes of it shows in the diff. */
const isCall = ({ site }) => site.kind !== 'rootsChangedHandler';
const statusOf = ({ report }) => report?.status ?? 'missed';
const labelOf = ({ site }) => LABELS.find(label => site.migration.startsWith(label)) ?? site.migration;

/** The calls that a codemod is for: of the SDK, in a server and not in its tests, and answered within a request. */
const isAim = ({ site }) =>
    site.sdkApi &&
    site.context !== 'test' &&
    !site.duplicate &&
    !site.frameworkInternal &&
    /^(mechanical|thread-ctx|url-special)/.test(site.migration);

export function table(measured) {
    const rows = measured.map(({ entry, run, sites }) => row(entry.repo, sites.filter(isCall), run));
    const calls = measured.flatMap(({ sites }) => sites.filter(isCall));
    const byLabel = LABELS.map(label =>
        row(
            label,
            calls.filter(one => labelOf(one) === label)
        )
    ).filter(([, known]) => known > 0);
    const head = ['', 'known', 'found', ...STATUSES, 'types', 'ours', 'seconds', 'MiB'];
    return lines([head, ...rows, head.map(() => ''), ...byLabel, row('in all', calls)]);
}

/** Type errors as "before > after the upgrade of the SDK > after", and how many more there are than after the upgrade. */
function row(name, sites, run) {
    const counts = STATUSES.map(status => sites.filter(one => statusOf(one) === status).length);
    const found = sites.length - counts.at(-1);
    const types = run?.report.summary.typeErrors;
    return [
        name,
        sites.length,
        found,
        ...counts,
        types === undefined ? '' : `${types.before}>${types.afterSdkUpgrade}>${types.after}`,
        run === undefined ? '' : ownTypeErrors(run.report),
        run?.seconds.toFixed(1) ?? '',
        run?.megabytes.toFixed(0) ?? ''
    ];
}

const ownTypeErrors = ({ diagnostics }) => diagnostics.filter(({ code }) => code === 'type-error').length;

/** What the project wants to reach: of all calls (micro), and as the mean of what each repository reaches (macro). */
export function aims(measured) {
    const aimed = measured.map(({ sites }) => sites.filter(isAim)).filter(sites => sites.length > 0);
    const share = (sites, statuses) => sites.filter(one => statuses.includes(statusOf(one))).length / sites.length;
    const micro = statuses => share(aimed.flat(), statuses);
    const macro = statuses => aimed.reduce((sum, sites) => sum + share(sites, statuses), 0) / aimed.length;
    const missed = measured.flatMap(({ sites }) => sites.filter(isCall)).filter(one => statusOf(one) === 'missed');
    const rewritten = ['migrated', 'review'];
    const own = measured.reduce((sum, { run }) => sum + ownTypeErrors(run.report), 0);
    return [
        '',
        `Application calls of the SDK that a request carries: ${aimed.flat().length} in ${aimed.length} repositories.`,
        `rewritten   ${percent(micro(rewritten))} of them, ${percent(macro(rewritten))} per repository   aim: 92 % of them`,
        `migrated    ${percent(micro(['migrated']))} of them, ${percent(macro(['migrated']))} per repository   aim: 75 % per repository`,
        `missed      ${missed.length} of all calls   aim: 0`,
        `type errors ${own} of ours   aim: 0`
    ].join('\n');
}

/** One line for each call that ended in one of the statuses. */
export function siteLines(measured, statuses) {
    return measured
        .flatMap(({ entry, sites }) =>
            sites
                .filter(one => isCall(one) && statuses.includes(statusOf(one)))
                .map(
                    one =>
                        `${statusOf(one).padEnd(8)} ${isAim(one) ? '*' : ' '} ${entry.repo}  ${one.file}:${one.site.line}  ` +
                        `${one.site.kind}  ${one.site.migration}  ${one.report?.reason ?? one.site.note}`
                )
        )
        .join('\n');
}
