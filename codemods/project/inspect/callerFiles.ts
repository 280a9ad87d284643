import type { Node } from 'ts-morph';
import { ts } from 'ts-morph';
import { frameOf } from '../frames.js';
import type { Ask } from './asks.js';

/**
 * The files through which handlers come to an ask. Imports lead to callees and never to callers, so callers are searched by
 * name: files that have the name of a function around an ask, then the names of the functions around these places, until
 * no more is found. Names are no proof: the call graph is made with types, of the files that are found here.
 *
 * @param texts absolute path → text of the files that are not read yet.
 */
export function callerFiles(asks: readonly Ask[], texts: ReadonlyMap<string, string>): Set<string> {
    const names = new Set(asks.flatMap(({ node }) => functionNames(node)));
    const found = new Set<string>();
    const most = Math.max(MANY_FILES, texts.size * MANY_SHARE);
    for (let fresh = [...names]; fresh.length > 0;) {
        const uses = usesOf(fresh, texts);
        const telling = new Set(fresh.filter(name => (uses.get(name)?.length ?? 0) <= most));
        const next = new Set<string>();
        for (const path of new Set([...telling].flatMap(name => uses.get(name) ?? []))) {
            found.add(path);
            for (const name of namesAround(path, texts.get(path) ?? '', telling)) if (!names.has(name)) next.add(name);
        }
        for (const name of next) names.add(name);
        fresh = [...next];
    }
    return found;
}

/** A name that many files have (`handle`, `execute`) does not say where the callers are. */
const MANY_FILES = 12;
const MANY_SHARE = 0.02;

/** The files in which names stand. */
function usesOf(names: readonly string[], texts: ReadonlyMap<string, string>): Map<string, string[]> {
    const uses = new Map<string, string[]>();
    const wanted = new RegExp(`(?<![\\w$])(?:${names.map(escaped).join('|')})(?![\\w$])`, 'g');
    for (const [path, text] of texts) {
        for (const name of new Set(text.match(wanted))) uses.set(name, [...(uses.get(name) ?? []), path]);
    }
    return uses;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Names by which the function around an ask may be called from elsewhere. */
function functionNames(node: Node): string[] {
    const frame = frameOf(node, () => false);
    if (frame.kind === 'named') return [frame.name.getText()];
    return frame.kind === 'module' || frame.kind === 'detached' ? [] : namesOf(frame.fn.compilerNode);
}

/** Names of the functions in which one of the names is used, by syntax alone. */
function namesAround(path: string, text: string, wanted: ReadonlySet<string>): Set<string> {
    const around = new Set<string>();
    const visit = (node: ts.Node, functions: readonly ts.Node[]): void => {
        if (ts.isIdentifier(node) && wanted.has(node.text) && isUse(node)) {
            for (const fn of functions) for (const name of namesOf(fn)) around.add(name);
        }
        const inner = ts.isFunctionLike(node) ? [node, ...functions] : functions;
        ts.forEachChild(node, child => {
            visit(child, inner);
        });
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), []);
    return around;
}

/** A call or a value; not the declaration, the import or the property of that name. */
function isUse(node: ts.Identifier): boolean {
    const { parent } = node;
    if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) return false;
    return (
        !('name' in parent && parent.name === node) ||
        ts.isPropertyAccessExpression(parent) ||
        ts.isShorthandPropertyAssignment(parent)
    );
}

/** Its own name, or that of the variable, property or assignment that holds it. */
function namesOf(fn: ts.Node): string[] {
    const holder = 'name' in fn && fn.name !== undefined ? fn : fn.parent;
    const name = 'name' in holder ? (holder.name as ts.Node | undefined) : undefined;
    return name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? [name.text] : [];
}
