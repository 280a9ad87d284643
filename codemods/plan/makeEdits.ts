import { applyEdits } from '../edits/applyEdits.js';
import type { Edit } from '../edits/edit.js';
import { ImportRequests, lineSpan, removeOrphans } from '../edits/imports.js';
import type { Facts, SiteFact } from '../facts/facts.js';
import { removeAnchors } from '../project/anchors.js';
import { rules } from '../rules/index.js';
import type { Plan } from '../rules/rule.js';
import { keysFor } from './keys.js';
import { markerEdits } from './markers.js';
import type { MarkedSite } from './markers.js';
import { runtimeModules } from './runtimeModule.js';

/** Files of one migration are written together or not at all: half of it would not start. */
export const GROUP = 'migration';

export interface EditInput {
    facts: Facts;
    /** Ids of handlers that wait in memory. */
    parked: ReadonlySet<string>;
    /** Sites that are left to a person. */
    left: readonly SiteFact[];
    /** Sites whose parameters are cast to what the builder takes. @default none */
    cast?: ReadonlySet<string>;
    /** The comments that they get. */
    marked: readonly MarkedSite[];
    /** Absolute path → text, with anchors. */
    upgraded: ReadonlyMap<string, string>;
    packageOf: (path: string) => string;
    /** Whether the project has types for the globals of Node. */
    nodeGlobals: boolean;
    /** Text of any file of the project. */
    textOf: (path: string) => string | undefined;
}

export interface Edited {
    /** Absolute path → text after the edits, without anchors; new files included. */
    texts: Map<string, string>;
    /** Number of edits per file. */
    counts: Map<string, number>;
    /** Site id → key. */
    keys: Map<string, string>;
}

/** Lets every rule make its edits, completes them with imports and comments, and applies them. */
export function makeEdits(input: EditInput): Edited {
    const { marked, upgraded, packageOf } = input;
    const upgradedText = (file: string): string => upgraded.get(file) ?? '';
    const runtimes = runtimeModules(input.facts, packageOf, input.textOf, input.nodeGlobals);
    // A server of a package without questions stays as it is.
    const servers = input.facts.servers.filter(({ file }) => runtimes.has(packageOf(file)));
    const facts = { ...input.facts, servers };
    const keys = keysFor(facts.sites, facts.functions, facts.onces, packageOf);
    const imports = new ImportRequests(facts.modules);
    const runtime: Plan['runtime'] = (file, name) => {
        const module = runtimes.get(packageOf(file));
        return module === undefined ? name : imports.add(file, module.path, name);
    };
    const edits = ruleEdits(facts, keys, input, imports, runtime).map(edit =>
        wholeLines(edit, upgradedText(edit.file))
    );
    edits.push(...facts.modules.flatMap(fact => removeOrphans(fact, edits, upgradedText(fact.file), 'imports', GROUP)));
    edits.push(...imports.edits(edits, 'imports', GROUP));
    edits.push(...markerEdits(marked, upgradedText, GROUP));

    const texts = new Map<string, string>();
    const counts = new Map<string, number>();
    for (const [file, text] of upgraded) {
        const own = edits.filter(edit => edit.file === file);
        if (own.length > 0) counts.set(file, own.length);
        texts.set(file, removeAnchors(applyEdits(text, own)));
    }
    for (const { path, text } of runtimes.values()) if (text !== undefined) texts.set(path, text);
    return { texts, counts, keys: keys.asks };
}

function ruleEdits(
    facts: Facts,
    keys: ReturnType<typeof keysFor>,
    { parked, left, cast = new Set() }: Pick<EditInput, 'parked' | 'left' | 'cast'>,
    imports: ImportRequests,
    runtime: Plan['runtime']
): Edit[] {
    const functions = new Map(facts.functions.map(fact => [fact.id, fact]));
    const plan: Plan = {
        facts,
        keys: keys.asks,
        onceKeys: keys.onces,
        parked,
        left,
        cast,
        contextOf: id => functions.get(id ?? '')?.parameter.name ?? 'ctx',
        imports,
        runtime,
        group: GROUP
    };
    return rules.flatMap(rule => rule.plan(plan));
}

/** A statement that goes takes its line with it. */
function wholeLines(edit: Edit, text: string): Edit {
    return edit.text === '' && edit.end > edit.start ? { ...edit, ...lineSpan(text, edit) } : edit;
}
