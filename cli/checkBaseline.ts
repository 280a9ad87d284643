import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Baseline } from '../codemods/check/baseline.js';
import type * as baselineModule from '../codemods/check/baseline.js';
import type { Finding } from '../codemods/index.js';
import { count } from './reporters/table.js';
import { UsageError } from './usageError.js';

type BaselineModule = typeof baselineModule;

const DEFAULT_FILE = 'mcp-mrtr-baseline.json';

/** The file of the baseline, as one run uses it. */
export class BaselineFile {
    private constructor(
        private readonly baselines: BaselineModule,
        private readonly path: string,
        private readonly name: string,
        private readonly baseline: Baseline | undefined,
        private readonly update: boolean
    ) {}

    /** @throws ConfigError for a file that is no baseline, UsageError for one that is not there */
    static async open(
        cwd: string,
        flag: string | undefined,
        configured: string | undefined,
        update: boolean
    ): Promise<BaselineFile> {
        const baselines = await import('../codemods/check/baseline.js');
        const name = flag ?? configured ?? (update ? DEFAULT_FILE : undefined);
        if (name === undefined) return new BaselineFile(baselines, '', '', undefined, false);
        const path = resolve(cwd, name);
        if (!existsSync(path)) {
            if (!update) throw new UsageError(`${name}: there is no such baseline; make it with --update-baseline.`);
            return new BaselineFile(baselines, path, name, undefined, true);
        }
        return new BaselineFile(
            baselines,
            path,
            name,
            baselines.parseBaseline(name, readFileSync(path, 'utf8')),
            update
        );
    }

    /** The findings that are not known, and what there is to say. Writes the baseline where that was asked for. */
    apply(findings: Finding[]): { findings: Finding[]; notes: string[] } {
        const { baselines, path, name, update } = this;
        if (path === '') return { findings, notes: [] };
        const next = update ? baselines.lowered(findings, this.baseline) : this.baseline;
        if (next === undefined) return { findings, notes: [] };
        if (update) writeFileSync(path, `${JSON.stringify(next, null, 2)}\n`);
        const compared = baselines.compare(findings, next);
        const known = compared.known === 0 ? [] : [`${count(compared.known, 'finding')} known to ${name}.`];
        const fewer =
            compared.fallen.length === 0
                ? []
                : [`There are fewer findings than ${name} allows; run with --update-baseline to keep it so.`];
        return { findings: compared.findings, notes: [...known, ...fewer] };
    }
}
