import { relative } from 'node:path';
import { Node } from 'ts-morph';
import type { Project } from 'ts-morph';
import type { AnchoredSite } from './analysis.js';
import { anchorOffset, isBare } from './anchors.js';
import type { Framework } from '../facts/frameworks.js';
import { frameworkOf, frameworkOfPackage } from './frameworkSites.js';
import { findSites } from './sites.js';
import type { FoundSite } from './sites.js';
import { isTestFile, objectLiteralOf, propertyValue } from './syntax.js';
import type { Judgement } from '../plan/decide.js';
import { lintRule } from '../rules/lintRules.js';

/** A site in the original text, with the position that reports give. */
export interface OriginalSite extends AnchoredSite {
    line: number;
    column: number;
    endLine: number;
    /** Where its anchor goes, and which form of anchor. */
    offset: number;
    bare: boolean;
    judgement: Judgement;
}

/** Every push call of the given files, in order of path and position. `packageNameOf`: the package that a file is of. */
export function scanSites(
    project: Project,
    root: string,
    paths: Iterable<string>,
    packageNameOf: (path: string) => string | undefined
): OriginalSite[] {
    const sites: OriginalSite[] = [];
    for (const path of [...paths].sort()) {
        const file = project.getSourceFile(path);
        if (file === undefined) continue;
        const test = isTestFile(relative(root, path).replace(/\\/g, '/'));
        const framework = frameworkOf(file) ?? frameworkOfPackage(packageNameOf(path));
        for (const found of findSites(file, framework)) {
            const { line, column } = file.getLineAndColumnAtPos(found.node.getStart());
            const { kind, form, api } = found;
            sites.push({
                id: `s${sites.length + 1}`,
                file: path,
                kind,
                form,
                api,
                offset: anchorOffset(found),
                bare: isBare(found),
                line,
                column,
                endLine: found.node.getEndLineNumber(),
                judgement: judge(found, test, framework)
            });
        }
    }
    return sites;
}

function judge({ ownership, node }: FoundSite, test: boolean, around: Framework | undefined): Judgement {
    const byName = ownership.kind === 'name' || ownership.kind === 'typed';
    const framework = ownership.kind === 'sdk' ? undefined : around;
    const ignored = ignoreReason(node);
    if (ignored !== undefined) return { byName, skipped: `ignored: ${ignored}`, ignored: true };
    if (test) return { byName, skipped: 'it stands in a test' };
    if (framework !== undefined) return { byName, skipped: `framework ${framework.name}: ${framework.offers}` };
    if (ownership.kind === 'foreign') return { byName, skipped: 'it only has the name of an SDK method' };
    if (asksForTask(node)) {
        return { byName, unsupported: 'it asks the client for a task, which neither 2026-07-28 nor SDK v2 has' };
    }
    return { byName };
}

/** `params: { task: { ttl }, … }`, in the request or its parameters. */
function asksForTask(node: Node): boolean {
    if (!Node.isCallExpression(node)) return false;
    const request = objectLiteralOf(node.getArguments()[0]);
    const params = objectLiteralOf(propertyValue(request, 'params')) ?? request;
    return propertyValue(params, 'task') !== undefined;
}

const IGNORE = /mcp-mrtr-ignore[ \t]*:?[ \t]*([^\r\n]*?)[ \t]*(?:\*\/)?[ \t]*$/;

/** The reason of a comment `mcp-mrtr-ignore <reason>` on the line of a site, or on the line above its statement. */
function ignoreReason(node: Node): string | undefined {
    const lines = node.getSourceFile().getFullText().split('\n');
    const statement = node.getFirstAncestor(one => Node.isStatement(one));
    const numbers = [
        node.getStartLineNumber(),
        (statement ?? node).getStartLineNumber(),
        (statement ?? node).getStartLineNumber() - 1
    ];
    for (const number of numbers) {
        const reason = IGNORE.exec((lines[number - 1] ?? '').replace(/\r$/, ''))?.[1];
        if (reason === undefined || isAboutOtherThings(reason)) continue;
        return reason === '' ? 'no reason is given' : reason;
    }
    return undefined;
}

/** A comment that allows a hazard, by the name of its rule, says nothing of the call. */
function isAboutOtherThings(reason: string): boolean {
    const rule = lintRule(/^[\w-]+/.exec(reason)?.[0] ?? '');
    return rule !== undefined && rule.category !== 'deprecated' && rule.category !== 'no-carrier';
}
