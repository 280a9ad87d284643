import { CATEGORY_TITLES, rulePage } from '../../../codemods/check/rulePage.js';
import type { Diagnostic, Finding, RelatedPlace } from '../../../codemods/index.js';
import type { LintRule } from '../../../codemods/rules/lintRule.js';
import { lintRules } from '../../../codemods/rules/lintRules.js';
import type { FindingsOutcome, Reporter } from '../reporter.js';

const INFORMATION = 'https://www.npmjs.com/package/mcp-mrtr';

/**
 * SARIF 2.1.0 for code scanning: every rule with its page, findings with fingerprints and the places that belong to them,
 * suppressed ones with their reason.
 */
export const sarif: Reporter<FindingsOutcome> = ({ findings, suppressed, failures, version }) =>
    JSON.stringify(
        {
            $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
            version: '2.1.0',
            runs: [
                {
                    tool: {
                        driver: {
                            name: 'mcp-mrtr',
                            version,
                            informationUri: INFORMATION,
                            rules: lintRules.map(descriptor)
                        }
                    },
                    columnKind: 'utf16CodeUnits',
                    originalUriBaseIds: { ROOT: { description: { text: 'The folder that was checked.' } } },
                    results: [...findings, ...suppressed].map(result),
                    invocations: [
                        {
                            executionSuccessful: failures.length === 0,
                            toolExecutionNotifications: failures.map(notification)
                        }
                    ]
                }
            ]
        },
        null,
        2
    );

function descriptor(rule: LintRule): object {
    const { id, category, level, summary, why, instead } = rule;
    return {
        id,
        name: id.replace(/(^|-)(\w)/g, (_, _dash: string, letter: string) => letter.toUpperCase()),
        shortDescription: { text: summary },
        fullDescription: { text: `${summary} ${why}` },
        help: { text: `${why}\n\n${instead}`, markdown: rulePage(rule) },
        helpUri: INFORMATION,
        defaultConfiguration: { level },
        properties: { category: CATEGORY_TITLES[category], tags: ['mcp', category] }
    };
}

function result({ rule, level, message, fingerprint, related, suppressed, ...place }: Finding): object {
    return {
        ruleId: rule,
        ruleIndex: lintRules.findIndex(({ id }) => id === rule),
        level,
        message: { text: message },
        locations: [location(place)],
        partialFingerprints: { 'mcpMrtr/v1': fingerprint },
        ...(related.length === 0 ? {} : { relatedLocations: related.map(relatedLocation) }),
        ...(suppressed === undefined ? {} : { suppressions: [{ kind: 'inSource', justification: suppressed.reason }] })
    };
}

type Stretch = Pick<Finding, 'file' | 'line' | 'column' | 'endLine' | 'endColumn'>;

const location = ({ file, line, column, endLine, endColumn }: Stretch): object => ({
    physicalLocation: {
        artifactLocation: { uri: encodeURI(file), uriBaseId: 'ROOT' },
        region: { startLine: line, startColumn: column, endLine, endColumn }
    }
});

const relatedLocation = (place: RelatedPlace, index: number): object => ({
    id: index + 1,
    message: { text: place.message },
    ...location(place)
});

const notification = ({ code, message, file, line }: Diagnostic): object => ({
    descriptor: { id: code },
    level: 'error',
    message: { text: message },
    ...(file === undefined
        ? {}
        : {
              locations: [
                  {
                      physicalLocation: {
                          artifactLocation: { uri: encodeURI(file), uriBaseId: 'ROOT' },
                          ...(line === undefined ? {} : { region: { startLine: line } })
                      }
                  }
              ]
          })
});
