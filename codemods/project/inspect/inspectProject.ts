import { relative } from 'node:path';
import { Node, SyntaxKind } from 'ts-morph';
import type { Project, SourceFile } from 'ts-morph';
import { findRegistrations } from '../handlers.js';
import type { Registration } from '../handlers.js';
import { functionBehind } from '../functionValues.js';
import { Reach } from '../reach.js';
import { isRuntimeCall } from '../runtimeCalls.js';
import { isTestFile } from '../syntax.js';
import { ignoredAnswer } from './answers.js';
import { findAsks, waits } from './asks.js';
import { callerFiles } from './callerFiles.js';
import { insideOnce, withoutCarrier } from './carriers.js';
import type { Observation } from './observation.js';
import { Reentry } from './reentry.js';
import { duplicateKeys, separateRounds, tooManyAsks } from './rounds.js';
import { isOnceCall } from './runtimeAsks.js';
import { states } from './states.js';
import { capabilities, pushCall, rootsListeners, sessionStates } from './surface.js';

/** A place in a file as reports give it: from 1, relative to the root, POSIX. */
export interface Place {
    file: string;
    line: number;
    column: number;
    endLine: number;
    endColumn: number;
}

/** An observation without syntax trees. */
export interface Inspected extends Place {
    rule: string;
    messageId: string;
    data: Readonly<Record<string, string>>;
    level?: Observation['level'];
    /** Lines, besides its own, on which a comment may suppress it: those of the statement around. */
    suppressibleAt: readonly number[];
    related: readonly (Place & { text: string })[];
}

/** Adds the files through which handlers come to the asks of a project; which ones is returned. */
export function addCallers(project: Project, root: string, texts: ReadonlyMap<string, string>): Set<string> {
    const nameOf = (path: string): string => relative(root, path).replace(/\\/g, '/');
    const asks = project
        .getSourceFiles()
        .filter(file => !file.isInNodeModules() && !file.isDeclarationFile() && !isTestFile(nameOf(file.getFilePath())))
        .flatMap(findAsks)
        .filter(waits);
    const callers = callerFiles(asks, texts);
    for (const path of [...callers].sort()) project.createSourceFile(path, texts.get(path) ?? '', { overwrite: true });
    return callers;
}

/**
 * Everything that the rules see in a project, in order of place. Tests are left out, and so are files that are not among
 * `paths`: those are read for the ways that lead through them.
 */
export function inspectProject(project: Project, root: string, paths: ReadonlySet<string>): Inspected[] {
    const nameOf = (path: string): string => relative(root, path).replace(/\\/g, '/');
    const own = project
        .getSourceFiles()
        .filter(
            file => !file.isInNodeModules() && !file.isDeclarationFile() && !isTestFile(nameOf(file.getFilePath()))
        );
    const place = (node: Node): Place => placeOf(node, nameOf(node.getSourceFile().getFilePath()));
    const reach = new Reach({
        registrations: own.flatMap(registrationsOf),
        isTest: path => isTestFile(nameOf(path)),
        place: node => `${nameOf(node.getSourceFile().getFilePath())}:${node.getStartLineNumber()}`
    });
    const asks = own.flatMap(findAsks);
    const waiting = asks.filter(waits);
    const reentry = new Reentry(reach, waiting);
    const found = [
        ...asks.flatMap(ask => pushCall(ask, reach)),
        ...waiting.flatMap(ask => {
            const once = insideOnce(ask, isOnceCall);
            return once.length > 0 ? once : [...withoutCarrier(ask, reach), ...reentry.of(ask), ...ignoredAnswer(ask)];
        }),
        ...tooManyAsks(waiting, reach),
        ...duplicateKeys(waiting, reach),
        ...separateRounds(waiting),
        ...own.flatMap(file => [
            ...capabilities(file, reach),
            ...rootsListeners(file),
            ...sessionStates(file),
            ...states(file)
        ])
    ];
    return distinct(found)
        .filter(({ node }) => paths.has(node.getSourceFile().getFilePath()))
        .map(one => ({
            rule: one.rule,
            messageId: one.messageId,
            data: one.data,
            ...(one.level === undefined ? {} : { level: one.level }),
            ...place(one.node),
            suppressibleAt: linesOf(one.node),
            related: one.related
                .filter(({ node }) => node !== one.node)
                .map(({ node, text }) => ({ ...place(node), text }))
        }));
}

const REGISTERING =
    /registerTool|registerPrompt|registerResource|setRequestHandler|resumable|\.(?:tool|prompt|resource)\s*\(/;

/** What is registered with a server; and what is `resumable` and registered somewhere that cannot be seen. */
function registrationsOf(file: SourceFile): Registration[] {
    if (!REGISTERING.test(file.getFullText())) return [];
    const found = findRegistrations(file);
    if (!file.getFullText().includes('esumable')) return found;
    const known = new Set(found.map(({ callback }) => callback));
    for (const call of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
        if (!isRuntimeCall(call, 'resumable')) continue;
        const callback = call.getArguments().at(-1);
        if (callback === undefined || known.has(callback)) continue;
        found.push({
            call,
            label: 'a resumable handler',
            callback,
            fn: functionBehind(callback),
            contextIndex: undefined,
            interruptible: true,
            wrapped: true
        });
    }
    return found;
}

/** Several asks below one effect are one finding: the first of them is named. */
function distinct(observations: readonly Observation[]): Observation[] {
    const found = new Map<string, Observation>();
    for (const one of observations) {
        const key = `${one.rule} ${one.node.getSourceFile().getFilePath()} ${one.node.getStart()} ${one.node.getEnd()}`;
        if (!found.has(key)) found.set(key, one);
    }
    return [...found.values()];
}

function placeOf(node: Node, file: string): Place {
    const source = node.getSourceFile();
    const start = source.getLineAndColumnAtPos(node.getStart());
    const end = source.getLineAndColumnAtPos(node.getEnd());
    return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}

/** The lines on which a comment about a node may stand: its own, and those above and of the statement around it. */
function linesOf(node: Node): number[] {
    const statement = node.getFirstAncestor(one => Node.isStatement(one)) ?? node;
    const own = Node.isStatement(node) ? node : statement;
    const lines = [node.getStartLineNumber(), own.getStartLineNumber()];
    return [...new Set([...lines, ...lines.map(line => line - 1)])];
}
