import type { Diagnostic, DiagnosticLevel, MigrationReport } from '../codemods/report.js';

/** The part of the codemod's programmatic API that the commands call. It reads and computes; only `commit` writes. */
export interface Codemod {
    migrate(options: MigrateOptions): Migration | Promise<Migration>;
    commit(changes: FileChange[]): CommitResult;
    check(options: MigrateOptions): CheckResult | Promise<CheckResult>;
}

export interface MigrateOptions {
    cwd: string;
    paths: string[];
}

export interface FileChange {
    path: string;
    absolutePath: string;
    /** Absent for a new file. */
    before: string | undefined;
    after: string;
    group: string;
    hash?: string;
}

export interface Migration {
    report: MigrationReport;
    changes: FileChange[];
    failures: Diagnostic[];
}

export interface CommitResult {
    written: string[];
    refused: { path: string; reason: string }[];
}

export interface Finding {
    rule: string;
    messageId: string;
    file: string;
    line: number;
    column: number;
    endLine: number;
    level: DiagnosticLevel;
    message: string;
}

export interface CheckResult {
    findings: Finding[];
    failures: Diagnostic[];
}
