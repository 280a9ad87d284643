import { parseJson } from '../project/jsonText.js';
import type { JsonText } from '../project/jsonText.js';
import type { FindingLevel } from '../report.js';
import { lintRule } from '../rules/lintRules.js';
import { ConfigError } from './configError.js';
import { nearestRule } from './nearestRule.js';

/** The `check` part of `mcp-mrtr.config.json`, or of `"mcp-mrtr"` in package.json. What is absent has the default. */
export interface CheckConfig {
    /** Lowest level that is reported. */
    level?: FindingLevel;
    /** Rule → its level, or `off`. */
    rules?: Readonly<Record<string, FindingLevel | 'off'>>;
    /** Globs of files that are not reported, relative to the file of the configuration. */
    ignore?: readonly string[];
    /** How many warnings are let pass. */
    maxWarnings?: number;
    /** Path of the baseline, relative to the file of the configuration. */
    baseline?: string;
}

const LEVELS = ['error', 'warning', 'note'];

/**
 * Reads a configuration.
 *
 * @param path for messages.
 * @param under the property that holds it: `mcp-mrtr` in package.json.
 * @throws ConfigError for a syntax error, an unknown name and a value of the wrong kind, with its place
 */
export function parseConfig(path: string, text: string, under: readonly string[] = []): CheckConfig | undefined {
    const json = parseJson(text);
    if (json.problem !== undefined) {
        throw new ConfigError(`${path}:${json.problem.line}:${json.problem.column} ${json.problem.message}`);
    }
    const all = under.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), json.value);
    if (all === undefined) return undefined;
    const reader = new Reader(path, json);
    const root = reader.record(all, under);
    reader.known(root, under, ['$schema', 'check']);
    const at = [...under, 'check'];
    const value = reader.record(root['check'] ?? {}, at);
    reader.known(value, at, ['level', 'rules', 'ignore', 'maxWarnings', 'baseline']);
    const config: CheckConfig = {};
    if ('level' in value) config.level = reader.oneOf(value['level'], [...at, 'level'], LEVELS) as FindingLevel;
    if ('rules' in value) config.rules = rulesOf(value['rules'], [...at, 'rules'], reader);
    if ('ignore' in value) config.ignore = reader.strings(value['ignore'], [...at, 'ignore']);
    if ('maxWarnings' in value) config.maxWarnings = reader.count(value['maxWarnings'], [...at, 'maxWarnings']);
    if ('baseline' in value) config.baseline = reader.string(value['baseline'], [...at, 'baseline']);
    return config;
}

function rulesOf(value: unknown, at: string[], reader: Reader): Record<string, FindingLevel | 'off'> {
    const rules: Record<string, FindingLevel | 'off'> = {};
    for (const [id, level] of Object.entries(reader.record(value, at))) {
        if (lintRule(id) === undefined) reader.fail([...at, id], `no rule is called ${id}${nearestRule(id)}`);
        rules[id] = reader.oneOf(level, [...at, id], [...LEVELS, 'off']) as FindingLevel | 'off';
    }
    return rules;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);

/** Takes values for what they have to be, or says where they are not. */
class Reader {
    constructor(
        private readonly path: string,
        private readonly json: JsonText
    ) {}

    fail(at: readonly string[], message: string): never {
        const { line, column } = this.json.placeOf(at);
        throw new ConfigError(`${this.path}:${line}:${column} ${message}.`);
    }

    known(value: Record<string, unknown>, at: readonly string[], names: readonly string[]): void {
        const unknown = Object.keys(value).find(name => !names.includes(name));
        if (unknown !== undefined)
            this.fail([...at, unknown], `${unknown} is no option here; there are ${names.join(', ')}`);
    }

    record(value: unknown, at: readonly string[]): Record<string, unknown> {
        return isRecord(value) ? value : this.fail(at, `${nameOf(at)} has to be an object`);
    }

    string(value: unknown, at: readonly string[]): string {
        return typeof value === 'string' ? value : this.fail(at, `${nameOf(at)} has to be a text`);
    }

    strings(value: unknown, at: readonly string[]): string[] {
        const isList = Array.isArray(value) && value.every((one): one is string => typeof one === 'string');
        return isList ? value : this.fail(at, `${nameOf(at)} has to be a list of texts`);
    }

    count(value: unknown, at: readonly string[]): number {
        const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0;
        return isCount ? value : this.fail(at, `${nameOf(at)} has to be a whole number from 0`);
    }

    oneOf(value: unknown, at: readonly string[], choices: readonly string[]): string {
        const isChoice = typeof value === 'string' && choices.includes(value);
        return isChoice ? value : this.fail(at, `${nameOf(at)} has to be one of ${choices.join(', ')}`);
    }
}

const nameOf = (at: readonly string[]): string => at.at(-1) ?? 'the configuration';
