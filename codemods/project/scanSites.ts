import { relative } from 'node:path';
import { Node } from 'ts-morph';
import type { Project, SourceFile } from 'ts-morph';
import type { AnchoredSite } from './analysis.js';
import { anchorOffset, isBare } from './anchors.js';
import type { Framework } from '../facts/frameworks.js';
import { frameworkOf, frameworkOfPackage } from './frameworkSites.js';
import { findSites } from './sites.js';
import { findMentions, isUnproven } from './mentions.js';
import type { FoundSite } from './sites.js';
import { isTestFile, memberName, memberObject, objectLiteralOf, propertyValue, unwrap } from './syntax.js';
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
        for (const found of sitesOf(file, test, framework)) {
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
                ...(form === 'mention' || isUnproven(found) ? { unread: true as const } : {}),
                judgement: judge(found, test, framework)
            });
        }
    }
    return sites;
}

/** In order of place; tests and code of other frameworks are full of names that ask nobody. */
function sitesOf(file: SourceFile, test: boolean, framework: Framework | undefined): FoundSite[] {
    const sites = findSites(file, framework);
    if (test || framework !== undefined) return sites;
    return [...sites, ...findMentions(file, sites)].sort(
        (a, b) => a.node.getStart() - b.node.getStart() || b.node.getEnd() - a.node.getEnd()
    );
}

function judge(found: FoundSite, test: boolean, around: Framework | undefined): Judgement {
    const { ownership, node } = found;
    const byName = ownership.kind === 'name' || ownership.kind === 'typed';
    const framework = ownership.kind === 'sdk' ? undefined : around;
    const ignored = ignoreReason(node);
    if (ignored !== undefined) return { byName, skipped: `ignored: ${ignored}`, ignored: true };
    if (test) return { byName, skipped: 'it stands in a test' };
    if (framework !== undefined) return { byName, skipped: `framework ${framework.name}: ${framework.offers}` };
    if (found.form === 'mention') return { byName, unsupported: 'what is done with it cannot be read from the code' };
    if (isOnTransport(found)) {
        return { byName, unsupported: 'it is put on a transport, and its answer does not come from this call' };
    }
    if (isUnproven(found)) {
        return { byName, unsupported: `the type of ${found.api} is not the SDK's, but it may ask all the same` };
    }
    if (ownership.kind === 'foreign') return { byName, skipped: 'it only has the name of an SDK method' };
    if (asksForTask(node)) {
        return { byName, unsupported: 'it asks the client for a task, which neither 2026-07-28 nor SDK v2 has' };
    }
    return { byName };
}

/** `transport.send({ jsonrpc: '2.0', id, method, params })`: a message, whose answer is read elsewhere. */
function isOnTransport({ node, form }: FoundSite): boolean {
    if (form !== 'send' || !Node.isCallExpression(node)) return false;
    const receiver = memberObject(unwrap(node.getExpression()));
    if (receiver === undefined) return false;
    const type = receiver.getType().getNonNullableType();
    const name = type.isAny() ? (memberName(unwrap(receiver)) ?? receiver.getText()) : type.getSymbol()?.getName();
    return /transport$/i.test(name ?? '');
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
