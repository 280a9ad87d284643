import { joinSites } from './joinSites.mjs';
import { lines, percent } from './lines.mjs';

const LEVELS = ['error', 'warning', 'note'];

/** The rules about the calls themselves: these findings are what a call that was found by hand is looked for among. */
const KINDS = {
    'elicit-input': 'elicit',
    'create-message': 'sample',
    'list-roots': 'roots',
    'url-elicitation-required': 'urlRequired',
    'completion-notifier': 'complete',
    'send-request': undefined,
    'passed-method': undefined,
    'framework-ask': undefined
};

/** What a request that is written out is, by what the message says of it. */
function kindOf({ rule, message }) {
    return (
        KINDS[rule] ?? (/roots/i.test(message) ? 'roots' : /sampl|createMessage/.test(message) ? 'sample' : 'elicit')
    );
}

/** The calls that were found by hand, each with the finding that reports it, where there is one. */
export const joinFindings = (entry, { findings }) =>
    joinSites(
        entry,
        findings.filter(({ rule }) => Object.hasOwn(KINDS, rule)).map(one => ({ ...one, kind: kindOf(one) }))
    );

/** The calls that a check is for: of the SDK, in a server and not in its tests. */
const isApplication = ({ site }) =>
    site.sdkApi && site.context !== 'test' && !site.duplicate && !site.frameworkInternal;

/** Calls of a framework's own verb in code that is written for it. */
const isFrameworkVerb = ({ site }) => !site.sdkApi && site.context !== 'test' && site.migration === 'framework';

export function checkTable(measured) {
    const sites = measured.flatMap(one => one.sites);
    const findings = measured.flatMap(({ run }) => run.report.findings);
    const head = ['', 'known', 'reported', 'missed', ...LEVELS.map(level => `${level}s`), 'seconds', 'MiB'];
    return lines([
        head,
        ...measured.map(({ entry, run, sites }) => [
            ...row(entry.repo, sites, run.report.findings),
            run.seconds.toFixed(1),
            run.megabytes.toFixed(0)
        ]),
        [...row('in all', sites, findings), '', '']
    ]);
}

function row(name, sites, findings) {
    const known = sites.filter(isApplication);
    const reported = known.filter(({ report }) => report !== undefined);
    const levels = LEVELS.map(level => findings.filter(one => one.level === level).length);
    return [name, known.length, reported.length, known.length - reported.length, ...levels];
}

export function checkAims(measured) {
    const sites = measured.flatMap(one => one.sites);
    const share = known => {
        const reported = known.filter(({ report }) => report !== undefined).length;
        return `${reported} of ${known.length}${known.length === 0 ? '' : ` (${percent(reported / known.length)})`}`;
    };
    return [
        '',
        `Application calls of the SDK that are reported: ${share(sites.filter(isApplication))}   aim: 100 %`,
        `Calls of a framework's own verb:                ${share(sites.filter(isFrameworkVerb))}`
    ].join('\n');
}

/** One line for each application call that no finding reports. */
export const missedLines = measured =>
    measured
        .flatMap(({ entry, sites }) =>
            sites
                .filter(one => one.report === undefined && (isApplication(one) || isFrameworkVerb(one)))
                .map(
                    one =>
                        `missed ${isApplication(one) ? '*' : ' '} ${entry.repo}  ${one.file}:${one.site.line}  ` +
                        `${one.site.kind}  ${one.site.migration}  ${one.site.note}`
                )
        )
        .join('\n');
