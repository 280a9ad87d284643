import { relative } from 'node:path';
import { Node } from 'ts-morph';
import type { CallExpression, Project, SourceFile } from 'ts-morph';
import type {
    AliasFact,
    CallFact,
    Facts,
    FunctionFact,
    GuardFact,
    HandlerFact,
    Hazard,
    SiteFact
} from '../facts/facts.js';
import { CAPABILITIES_GETTER } from '../facts/surface.js';
import type { SiteKind } from '../report.js';
import { callsThrough, holderOf } from './aliases.js';
import { anchoredNodes } from './anchors.js';
import { mayPrecede } from './before.js';
import { contextArgument, handlerParameter, helperParameter, placements, spanOf } from './contextParameters.js';
import type { Placement } from './contextParameters.js';
import { findRegistrations } from './handlers.js';
import { Hazards } from './hazards.js';
import { moduleFact } from './modules.js';
import { whoseCall } from './ownership.js';
import { Reach } from './reach.js';
import type { Reached } from './reach.js';
import { keyHintsOf, optionsOf, paramsNode, requestOf } from './requests.js';
import { findServers, findStdioEntries } from './servers.js';
import { ruleFor } from './sites.js';
import type { SiteForm } from './sites.js';
import { calleeName, isTestFile, lineOf, memberObject, unwrap } from './syntax.js';

/** What the scan of the original text knows about a site. */
export interface AnchoredSite {
    id: string;
    file: string;
    kind: SiteKind;
    form: SiteForm;
    api: string;
}

/** A site as the planner first sees it: what speaks against it, and what belongs together. */
export interface Candidate {
    fact: SiteFact;
    handlers: { label: string; interruptible: boolean }[];
    /** For a method that is passed on: the sites that call it in the end. It is rewritten when all of them are. */
    dissolvesInto?: string[];
    /** Sites (and guards) that run before or after this one in the same run of a handler. */
    related: Set<string>;
}

interface Subject {
    id: string;
    node: Node;
    provider: Reached | string;
}

/**
 * Reads the upgraded project. First `candidates()` says what is known of each site; the planner picks; then `facts()`
 * says what has to be edited for exactly those.
 */
export class Analysis {
    private readonly files: SourceFile[];
    private readonly nodes = new Map<string, Node>();
    private readonly reach: Reach;
    private readonly hazards: Hazards;
    private readonly subjects: Subject[] = [];
    private readonly guards: Subject[] = [];

    constructor(
        project: Project,
        private readonly home: { root: string; packageOf(path: string): string },
        private readonly sites: readonly AnchoredSite[]
    ) {
        this.files = project.getSourceFiles().filter(file => !file.isInNodeModules() && !file.isDeclarationFile());
        for (const file of this.files) for (const [id, node] of anchoredNodes(file)) this.nodes.set(id, node);
        const own = this.files.filter(file => !this.isTest(file.getFilePath()));
        this.reach = new Reach({
            registrations: own.flatMap(findRegistrations),
            isTest: path => this.isTest(path),
            place: node => this.place(node)
        });
        const asks = new Set(this.nodes.values());
        this.hazards = new Hazards(
            this.reach,
            call => asks.has(call),
            node => this.place(node)
        );
        for (const site of sites) {
            const node = this.nodes.get(site.id);
            if (node !== undefined) this.subjects.push({ id: site.id, node, provider: this.reach.provider(node) });
        }
        for (const node of own.flatMap(capabilityReads)) {
            this.guards.push({ id: `g${this.guards.length + 1}`, node, provider: this.reach.provider(node) });
        }
    }

    /** `src/a.ts:12`, for messages. Lines are of the upgraded text: near, not exact. */
    private place(node: Node): string {
        return `${relative(this.home.root, node.getSourceFile().getFilePath()).replace(/\\/g, '/')}:${lineOf(node)}`;
    }

    private isTest(path: string): boolean {
        return isTestFile(relative(this.home.root, path).replace(/\\/g, '/'));
    }

    candidates(): Candidate[] {
        return this.sites.map(site => this.candidate(site));
    }

    private candidate(site: AnchoredSite): Candidate {
        const subject = this.subjects.find(({ id }) => id === site.id);
        const base = {
            id: site.id,
            file: site.file,
            kind: site.kind,
            rule: ruleFor(site.kind, site.form),
            api: site.api
        };
        if (subject === undefined) {
            const hazards: Hazard[] = [{ level: 'manual', message: 'the SDK upgrade rewrote the code around it' }];
            const fact: SiteFact = {
                ...base,
                call: { start: 0, end: 0 },
                request: undefined,
                droppedOptions: [],
                keyHints: { properties: [] },
                hazards,
                statement: 0
            };
            return { fact, handlers: [], related: new Set() };
        }
        const { node, provider } = subject;
        if (site.form === 'reference') return this.reference(base, node);
        const call = Node.isCallExpression(node) ? node : undefined;
        const handlers = typeof provider === 'string' ? [] : this.reach.handlersOf(provider);
        const fact: SiteFact = {
            ...base,
            call: spanOf(node),
            request: call === undefined ? undefined : requestOf(call, site.form, site.kind),
            droppedOptions: call === undefined ? [] : optionsOf(call, site.form),
            keyHints: keyHintsOf(node, call === undefined ? undefined : paramsNode(call, site.form)),
            ...(typeof provider === 'string' ? {} : { context: provider.id }),
            hazards: this.hazardsOf(subject),
            statement: statementOffset(node)
        };
        return {
            fact,
            handlers: handlers.map(one => ({
                label: one.registration?.label ?? one.name,
                interruptible: one.registration?.interruptible ?? false
            })),
            related: new Set(
                this.subjects
                    .filter(other => other !== subject && !this.isReference(other.id) && this.share(subject, other))
                    .map(({ id }) => id)
            )
        };
    }

    private reference(base: Pick<SiteFact, 'id' | 'file' | 'kind' | 'rule' | 'api'>, node: Node): Candidate {
        const calls = callsThrough(node)?.map(call => this.subjects.find(other => other.node === call)?.id);
        const known = calls?.every(id => id !== undefined) === true ? calls.flatMap(id => id ?? []) : [];
        const fact: SiteFact = {
            ...base,
            call: spanOf(node),
            request: undefined,
            droppedOptions: [],
            keyHints: { properties: [] },
            hazards: [],
            statement: statementOffset(node)
        };
        return { fact, handlers: [], related: new Set(), dissolvesInto: known };
    }

    /** Declarations of aliases all of whose calls are rewritten. */
    private aliasFacts(selected: ReadonlySet<string>): AliasFact[] {
        return this.subjects.flatMap(({ id, node }) => {
            const holder = selected.has(id) && this.isReference(id) ? holderOf(node) : undefined;
            const statement = Node.isVariableDeclaration(holder) ? holder.getVariableStatement() : undefined;
            if (statement?.getDeclarations().length !== 1) return [];
            return [{ file: statement.getSourceFile().getFilePath(), statement: spanOf(statement) }];
        });
    }

    private isReference(id: string): boolean {
        return this.sites.some(site => site.id === id && site.form === 'reference');
    }

    private hazardsOf({ node, provider }: Subject): Hazard[] {
        if (typeof provider === 'string') return [{ level: 'manual', message: provider }];
        const found: Hazard[] = this.hazards.of(node, provider);
        for (const message of this.reach.problemsOf(provider)) found.push({ level: 'manual', message });
        const tested = this.testCallsAbove(provider);
        if (tested !== undefined) {
            found.push({
                level: 'manual',
                message: `tests call ${tested.name} without a request (${this.place(tested.call)})`
            });
        }
        if (this.reach.handlersOf(provider).length === 0) {
            found.push({ level: 'review', message: 'no handler of this project leads to it' });
        }
        for (const guard of this.guards) {
            if (this.samePackage(guard.node, node) && this.decidesForLater(guard)) {
                found.push({
                    level: 'manual',
                    message: `whether the client can be asked is decided at ${this.place(guard.node)}, outside a request, where 2026-07-28 tells nothing`
                });
            }
            const why = this.guardProblem(guard);
            if (why !== undefined && this.share(guard, { id: '', node, provider })) {
                found.push({
                    level: 'manual',
                    message: `the check of the client's capabilities at ${this.place(guard.node)} cannot be rewritten: ${why}`
                });
            }
        }
        return found;
    }

    private testCallsAbove(
        provider: Reached,
        seen = new Set<Reached>()
    ): { name: string; call: CallExpression } | undefined {
        if (seen.has(provider)) return undefined;
        seen.add(provider);
        const call = provider.testCalls[0];
        if (call !== undefined) return { name: provider.name, call };
        for (const { caller } of provider.calls) {
            const found = this.testCallsAbove(caller, seen);
            if (found !== undefined) return found;
        }
        return undefined;
    }

    /** A read of the capabilities that no handler leads to, and whose outcome is kept: in a variable, or in what is registered. */
    private decidesForLater({ node, provider }: Subject): boolean {
        if (typeof provider !== 'string' && this.reach.handlersOf(provider).length > 0) return false;
        if (typeof provider !== 'string' && provider.problems.length === 0) return false;
        for (const ancestor of node.getAncestors()) {
            if (Node.isReturnStatement(ancestor) || Node.isVariableDeclaration(ancestor)) return true;
            if (Node.isBinaryExpression(ancestor) && /^(?:\|\||\?\?|&&)?=$/.test(ancestor.getOperatorToken().getText()))
                return !isHook(ancestor.getLeft());
            if (Node.isIfStatement(ancestor)) {
                return /\b(?:registerTool|registerPrompt|registerResource|tool|enable|disable|setRequestHandler)\(|[^=!<>]=[^=>]/.test(
                    ancestor.getText()
                );
            }
            if (Node.isStatement(ancestor)) return false;
        }
        return true;
    }

    private samePackage(one: Node, other: Node): boolean {
        const { packageOf } = this.home;
        return packageOf(one.getSourceFile().getFilePath()) === packageOf(other.getSourceFile().getFilePath());
    }

    private guardProblem({ provider }: Subject): string | undefined {
        if (typeof provider === 'string') return provider;
        return this.reach.problemsOf(provider)[0];
    }

    /** Whether two places can both be part of one run of a handler. */
    private share(one: Subject, other: Subject): boolean {
        if (typeof one.provider === 'string' || typeof other.provider === 'string') {
            // A read of the capabilities outside a request still concerns what it decides about in the same file.
            return false;
        }
        const mine = this.reach.handlersOf(one.provider);
        const theirs = new Set(this.reach.handlersOf(other.provider));
        return mine.some(handler => theirs.has(handler) && this.meet(one, other, handler));
    }

    private meet(one: Subject, other: Subject, handler: Reached): boolean {
        const first = this.nodesIn(handler, one);
        const second = this.nodesIn(handler, other);
        return first.some(a =>
            second.some(b => a === b || mayPrecede(a, b, handler.fn) || mayPrecede(b, a, handler.fn))
        );
    }

    /** The nodes in a handler's own code through which a subject is reached. */
    private nodesIn(handler: Reached, { node, provider }: Subject): Node[] {
        if (typeof provider === 'string') return [];
        if (provider === handler) return [node];
        const found: Node[] = [];
        const seen = new Set<Reached>();
        const visit = (reached: Reached): void => {
            if (seen.has(reached)) return;
            seen.add(reached);
            for (const { call, caller } of reached.calls) {
                if (caller === handler) found.push(call);
                else visit(caller);
            }
        };
        visit(provider);
        return found;
    }

    /** Everything that has to be edited so that the selected sites ask through the context. */
    facts(selected: ReadonlySet<string>): { facts: Facts; problems: Map<string, string> } {
        const problems = new Map<string, string>();
        const chosen = this.subjects.filter(
            ({ id, provider }) => selected.has(id) && typeof provider !== 'string' && !this.isReference(id)
        );
        const guards = this.guards.filter(guard => chosen.some(site => this.share(guard, site)));
        const functions = this.functionsAbove([...chosen, ...guards]);
        const migrated = new Set<Node>(chosen.map(({ node }) => node));
        const isMigrated = (call: CallExpression): boolean => migrated.has(call);
        const placed = placements(functions, isMigrated);
        const facts: FunctionFact[] = [];
        for (const reached of functions) {
            const fact = this.functionFact(reached, functions, placed, isMigrated);
            if (typeof fact === 'string') {
                for (const { id, provider } of chosen) {
                    if (typeof provider !== 'string' && this.isAbove(reached, provider))
                        problems.set(id, `${reached.name}: ${fact}`);
                }
            } else facts.push(fact);
        }
        const candidates = this.sites
            .filter(({ id, form }) => selected.has(id) && form !== 'reference')
            .map(site => this.candidate(site).fact);
        return {
            facts: {
                sites: candidates,
                guards: guards.map(guardFact),
                functions: facts,
                handlers: functions.flatMap(reached => handlerFacts(reached)),
                aliases: this.aliasFacts(selected),
                servers: this.files.filter(file => !this.isTest(file.getFilePath())).flatMap(findServers),
                entries: this.files.filter(file => !this.isTest(file.getFilePath())).flatMap(findStdioEntries),
                modules: this.files.map(moduleFact)
            },
            problems
        };
    }

    private functionFact(
        reached: Reached,
        functions: readonly Reached[],
        placed: Map<Reached, Placement>,
        isMigrated: (call: CallExpression) => boolean
    ): FunctionFact | string {
        const placement = placed.get(reached);
        const { registration } = reached;
        const parameter =
            registration !== undefined
                ? handlerParameter(
                      reached.fn,
                      registration.contextIndex,
                      unwrap(registration.callback) === reached.fn,
                      isMigrated
                  )
                : placement === undefined
                  ? 'it is not called'
                  : helperParameter(reached.fn, placement);
        if (typeof parameter === 'string') return parameter;
        const calls: CallFact[] = [];
        for (const { call, caller } of reached.calls) {
            if (!functions.includes(caller)) continue;
            const argument = placement === undefined ? 'it is not called' : contextArgument(call, placement);
            if (typeof argument === 'string') return argument;
            calls.push({ file: call.getSourceFile().getFilePath(), caller: caller.id, argument });
        }
        return {
            id: reached.id,
            file: reached.fn.getSourceFile().getFilePath(),
            name: reached.name,
            parameter,
            calls,
            handlers: this.reach.handlersOf(reached).map(one => one.id)
        };
    }

    private functionsAbove(subjects: readonly Subject[]): Reached[] {
        const seen = new Set<Reached>();
        const open = subjects.flatMap(({ provider }) => (typeof provider === 'string' ? [] : [provider]));
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
            if (seen.has(next)) continue;
            seen.add(next);
            open.push(...next.calls.map(({ caller }) => caller));
        }
        return [...seen];
    }

    private isAbove(candidate: Reached, start: Reached): boolean {
        return this.functionsAbove([{ id: '', node: start.fn, provider: start }]).includes(candidate);
    }
}

/** Start of the nearest statement or class member around a node that begins its line. */
function statementOffset(node: Node): number {
    let at: Node = node;
    for (const ancestor of node.getAncestors()) {
        if (Node.isStatement(ancestor) || Node.isMethodDeclaration(ancestor) || Node.isPropertyDeclaration(ancestor)) {
            at = ancestor;
            if (!Node.isBlock(ancestor) && startsLine(ancestor)) break;
        }
    }
    return at.getStart();
}

function startsLine(node: Node): boolean {
    const text = node.getSourceFile().getFullText();
    const before = text.slice(text.lastIndexOf('\n', node.getStart() - 1) + 1, node.getStart());
    return before.trim() === '';
}

const isHook = (target: Node): boolean => /\.on\w+$/.test(target.getText());

function capabilityReads(file: SourceFile): Node[] {
    return file.getDescendants().filter(node => {
        if (!Node.isCallExpression(node) || calleeName(node) !== CAPABILITIES_GETTER) return false;
        return ['sdk', 'name', 'typed'].includes(whoseCall(unwrap(node.getExpression())).kind);
    });
}

function guardFact({ node, provider }: Subject): GuardFact {
    const callee = Node.isCallExpression(node) ? unwrap(node.getExpression()) : undefined;
    const receiver = callee === undefined ? undefined : memberObject(callee);
    return {
        file: node.getSourceFile().getFilePath(),
        call: spanOf(node),
        receiver: receiver?.getText() ?? '',
        ...(typeof provider === 'string' ? {} : { context: provider.id }),
        hazards: []
    };
}

function handlerFacts({ id, registration }: Reached): HandlerFact[] {
    if (registration === undefined) return [];
    return [
        {
            id,
            file: registration.call.getSourceFile().getFilePath(),
            label: registration.label,
            callback: spanOf(registration.callback),
            wrapped: registration.wrapped,
            interruptible: registration.interruptible
        }
    ];
}
