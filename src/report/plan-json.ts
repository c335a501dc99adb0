import { type Address, byAddress } from '../model/address.ts';
import type { Action, Change, FieldCause, FieldChange, Grade } from '../model/change.ts';
import type { Diagnostic, Position } from '../model/diagnostic.ts';
import type { Operation, Plan, Summary } from '../model/plan.ts';
import { isHole, isJoin, isSecret } from '../model/value.ts';
import { jsonValue } from './json-value.ts';
import { lineOf } from './request-text.ts';
import { summaryOf } from './summary-of.ts';

/** The public form of a plan. `formatVersion`: the first number changes when something goes or means something else. */
export interface PlanDocument {
  formatVersion: '1.0';
  stack: string;
  complete: boolean;
  summary: Summary;
  changes: {
    address: Address;
    kind: string;
    action: Action;
    id?: string;
    reason?: string;
    grade: Grade;
    gradeReason?: string;
    moves: boolean;
    fields: JsonField[];
    source?: JsonPlace;
  }[];
  operations: {
    id: string;
    kind: string;
    changes: Address[];
    dependsOn: string[];
    requests: { method: string; path: string; body?: unknown }[];
  }[];
  diagnostics: JsonDiagnostic[];
}
export interface JsonField {
  path: string;
  before?: unknown;
  after?: unknown;
  cause: FieldCause;
  secret: boolean;
  replaces: boolean;
}
export interface JsonPlace {
  file: string;
  line: number;
  column: number;
}
export interface JsonDiagnostic {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  hint?: string;
  address?: Address;
  source?: JsonPlace;
  related: { message: string; source: JsonPlace }[];
}

/** The plan as a document for programs: its own stable format, without secrets and without whole objects. */
export function planJson(plan: Plan): PlanDocument {
  return {
    formatVersion: '1.0',
    stack: plan.stack,
    complete: plan.complete,
    summary: summaryOf(plan),
    changes: [...plan.changes].sort(byAddress).map(changeJson),
    operations: plan.operations.map(operationJson),
    diagnostics: plan.diagnostics.map(diagnosticJson),
  };
}

const changeJson = (change: Change): PlanDocument['changes'][number] => ({
  address: change.address,
  kind: change.kind,
  action: change.action,
  ...given({ id: change.id, reason: change.reason }),
  grade: change.grade,
  ...given({ gradeReason: change.gradeReason }),
  moves: change.action === 'move' || change.moves === true,
  fields: change.fields.map(fieldJson),
  ...given({ source: change.at && placeJson(change.at) }),
});

function fieldJson(field: FieldChange): JsonField {
  const secret = field.secret === true || isSecret(field.before) || isSecret(field.after);
  // A secret's name may be told.
  const side = (value: unknown) =>
    value === undefined ? value : secret && (!isHole(value) || isJoin(value)) ? '(secret)' : jsonValue(value);
  return {
    path: field.path,
    ...given({ before: side(field.before), after: side(field.after) }),
    cause: field.cause,
    secret,
    replaces: field.replaces === true,
  };
}

const operationJson = ({ id, kind, changes, dependsOn, requests }: Operation) => ({
  id,
  kind,
  changes,
  dependsOn,
  requests: requests.map((request) => ({ ...lineOf(request), ...given({ body: jsonValue(request.body) }) })),
});

/** Also what `validate --json` lists. */
export const diagnosticJson = (diagnostic: Diagnostic): JsonDiagnostic => ({
  severity: diagnostic.severity,
  code: diagnostic.code,
  message: diagnostic.message,
  ...given({ hint: diagnostic.hint, address: diagnostic.address }),
  ...given({ source: diagnostic.at && placeJson(diagnostic.at) }),
  related: (diagnostic.related ?? []).map(({ message, at }) => ({ message, source: placeJson(at) })),
});

const placeJson = ({ file, line, column }: Position): JsonPlace => ({ file, line, column });

/** Without the members that are undefined. */
const given = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
