import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DoctorReport } from '../../src/doctor/doctor-report.ts';
import type { JudgedDifference } from '../../src/doctor/examine-answers.ts';

/** A difference between an account and the published form, as a test gives it to answers of the twin. */
export interface ReportCase extends JudgedDifference {
  operation: string;
}

/** Returns the reports of `trueup doctor` in a folder, by file name; none if there is no folder. */
export function readReports(folder: string): Map<string, DoctorReport> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /report\.json$|real-accounts.*\.json$/.test(name),
  );
  return new Map(names.map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]));
}

/** Returns the differences of a report as cases. */
export const casesOf = ({ operations }: DoctorReport): ReportCase[] =>
  operations.flatMap(({ operation, differences }) =>
    differences.map((difference) => ({ ...difference, operation })),
  );

const examples: Record<string, unknown> = {
  text: 'x',
  number: 1,
  boolean: true,
  null: null,
  list: [],
  object: {},
};

/** Returns an answer with a difference in it: at every place that the path means, a member more or less, or one of another type. */
export function withDifference(answer: unknown, { path, problem, got = 'text' }: ReportCase): unknown {
  const steps = path === '' ? [] : path.split('.').flatMap((step) => step.split(/(\[\])/).filter(Boolean));
  return changeAt(answer, steps, () => (problem === 'missing' ? undefined : examples[got]));
}

function changeAt(value: unknown, [step, ...rest]: string[], change: () => unknown): unknown {
  if (step === undefined) return change();
  if (step === '[]') return Array.isArray(value) ? value.map((item) => changeAt(item, rest, change)) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = value as Record<string, unknown>;
  const inAll = step === '*' && rest.length > 0;
  const names = inAll ? Object.keys(members) : [step === '*' ? 'anyName' : step];
  const changed = names.map((name) => [name, changeAt(members[name], rest, change)] as const);
  return Object.fromEntries(Object.entries({ ...members, ...Object.fromEntries(changed) }));
}
