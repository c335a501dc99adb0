import { byAddress } from '../model/address.ts';
import type { Pace } from '../model/budget.ts';
import { type Change, type FieldChange, isHiddenSide } from '../model/change.ts';
import type { DeletionCount } from '../model/deletion-count.ts';
import { type Diagnostic, hasErrors, type Position } from '../model/diagnostic.ts';
import { countNotCompared, type NotCompared } from '../model/not-compared.ts';
import { canaryOperation, type Operation, type Plan } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import { countPlannedDeletions } from '../model/planned-deletions.ts';
import type { Request } from '../model/request.ts';
import { Sealed } from '../model/sealed.ts';
import { isHole, isJoin, isSecret, type Value } from '../model/value.ts';
import { forecast } from './forecast.ts';
import { reportedDiagnostics } from './not-compared-text.ts';
import { omitUnchanged } from './omit-unchanged.ts';
import type { JsonDiagnostic, JsonField, JsonPlace, PlanDocument } from './plan-document.ts';
import { summarizePlan } from './plan-notes.ts';
import { rehearsalJson } from './rehearsal-document.ts';
import { lineOf } from './request-text.ts';
import { jsonText, jsonValue } from './show.ts';

/** The options of documents about plans, in JSON and in Terraform's format. */
export interface DocumentOptions {
  /** Leaves unchanged objects out, and counts them in `omitted`. */
  changesOnly?: boolean | undefined;
}

/** Converts a plan into the document that `plan --json` prints: a stable format for programs, without secrets and without whole objects. */
export function planJson(
  plan: Plan,
  pace?: Pace,
  { changesOnly = false }: DocumentOptions = {},
): PlanDocument {
  const { plan: shown, omitted } = changesOnly ? omitUnchanged(plan) : { plan };
  return {
    formatVersion: '1.16',
    stack: plan.stack,
    account: plan.account,
    complete: plan.complete,
    summary: summarizePlan(plan),
    deletions: deletionsJson(plan),
    notCompared: plan.notCompared?.map(notComparedJson),
    omitted,
    changes: [...shown.changes].sort(byAddress).map(changeJson),
    operations: plan.operations.map(operationJson),
    firstContact: firstContactJson(plan),
    actions: plan.actions?.map(actionJson),
    forecast: forecast(plan, pace),
    rehearsal: plan.rehearsal && rehearsalJson(plan.rehearsal),
    unlisted: plan.partialKinds,
    reads: plan.reads?.sent,
    waiting: plan.waiting,
    changedBy: plan.changedBy,
    guards: plan.guards,
    sources: plan.sources,
    diagnostics: reportedDiagnostics(plan).map(diagnosticJson),
    fixedFindings: plan.fixedFindings?.map(diagnosticJson),
    suppressedFindings: plan.suppressedFindings?.map(diagnosticJson),
  };
}

/** Converts the number of objects that a plan deletes, by kind; undefined if it deletes none. */
function deletionsJson({ changes }: Plan): PlanDocument['deletions'] {
  const deletions = countPlannedDeletions(changes);
  return deletions.objects > 0 ? deletionCountJson(deletions) : undefined;
}

/**
 * Returns a number of deleted objects as `plan --json` prints it. `unread`: the kinds whose objects could not be counted, because their
 * lists were not read.
 */
const deletionCountJson = ({ objects, byKind, unread }: DeletionCount) => ({
  objects,
  byKind: { ...byKind },
  unread: unread.length > 0 ? [...unread] : undefined,
});

/**
 * Converts the canary (the harmless change that an apply makes first and checks, on an account that it has never written to) for
 * `plan --json`; empty if no change is harmless, and undefined on any other account.
 */
function firstContactJson(plan: Plan): PlanDocument['firstContact'] {
  if (!plan.firstContact) return undefined;
  const canary = canaryOperation(plan);
  return canary ? { firstChange: { operation: canary.id, changes: canary.changes } } : {};
}

/**
 * Converts a group of objects and secrets that were not compared for one cause, such as a missing permission, with their numbers by sort.
 * Also used in the output of `plan --format terraform`.
 */
export const notComparedJson = ({ cause, why, items }: NotCompared) => ({
  cause,
  reason: why,
  ...countNotCompared([{ cause, items }]),
  items: items.map(({ address, kind, path, undeclared, at }) => ({
    address,
    kind,
    path,
    declared: undeclared !== true,
    source: at && placeJson(at),
  })),
});

/** Returns the document that `plan --json` prints if no plan could be made: an empty plan without a stack, with the problems. */
export function failureJson(diagnostics: Diagnostic[]): PlanDocument {
  const { stack: _, ...document } = planJson({
    stack: '',
    complete: false,
    changes: [],
    operations: [],
    unmanaged: [],
    diagnostics,
  });
  return document;
}

/** Returns the JSON output of a failed command whose usual document has no member for problems. */
export const errorJson = (diagnostics: Diagnostic[]) => ({
  formatVersion: '1.0',
  diagnostics: diagnostics.map(diagnosticJson),
});

/**
 * Converts one change for `plan --json`. Terraform's JSON plan contains it too, because Terraform has no
 * words for some of its members.
 */
export const changeJson = (change: Change): PlanDocument['changes'][number] => ({
  address: change.address,
  kind: change.kind,
  action: change.action,
  id: change.id,
  takenFrom: change.takenFrom,
  reason: change.reason,
  grade: change.grade,
  gradeReason: change.gradeReason,
  deletes: change.deletes && deletionCountJson(change.deletes),
  permissions: change.permissions,
  moves: change.action === 'move' || change.moves === true,
  position: change.position,
  renews: change.changesLedgerOnly,
  // A plan that was saved by an older version has no `undo`.
  undo: change.undo?.can ?? 'no',
  undoLost: change.undo?.lost,
  undoReason: change.undo ? change.undo.why : 'it is not known',
  fields: change.fields.map(fieldJson),
  source: change.at && placeJson(change.at),
});

/**
 * Converts one field of a change for `plan --json` and for the record of a run. A secret is written by its name, or as
 * `(secret)`.
 */
export function fieldJson(field: FieldChange): JsonField {
  // The name of a secret is no secret, so a value that is only a name may be written.
  const isNameOnly = (value: unknown) => value instanceof Sealed || (isHole(value) && !isJoin(value));
  const side = (value: Value | undefined) =>
    !isHiddenSide(field, value) || isNameOnly(value) ? jsonValue(value) : '(secret)';
  return {
    path: field.path,
    before: side(field.before),
    after: side(field.after),
    cause: field.cause,
    secret: field.secret === true || isSecret(field.before) || isSecret(field.after),
    replaces: field.replaces === true,
    notKept: field.notKept,
  };
}

/** Converts one operation (requests that are sent together for one or more changes) for `plan --json` and for the digest of a plan. */
export const operationJson = ({ id, kind, changes, dependsOn, requests }: Operation) => ({
  id,
  kind,
  changes,
  dependsOn,
  requests: requests.map(requestJson),
});

/** Converts one request. Its body has no secrets. */
const requestJson = (request: Request) => ({
  ...lineOf(request),
  body: jsonValue(request.body),
});

/**
 * Converts a follow-up action (`$then`) of a plan for JSON documents, that in Terraform's format included. `owedBy` names the run that had
 * to leave it undone, if one did. `from` (the resources whose `$then` asks for it) is left out.
 */
export const actionJson = ({
  input,
  request,
  owed,
  wait,
  from: _,
  ...action
}: PlannedAction): NonNullable<PlanDocument['actions']>[number] => ({
  ...action,
  input: jsonValue(input) as Record<string, unknown>,
  owedBy: owed && (owed.run ?? 'an earlier run'),
  waits: wait,
  request: request && requestJson(request),
});

/** Converts a problem or finding to the form that it has in the JSON documents of all commands. */
export const diagnosticJson = (diagnostic: Diagnostic): JsonDiagnostic => ({
  severity: diagnostic.severity,
  code: diagnostic.code,
  message: diagnostic.message,
  hint: diagnostic.hint,
  address: diagnostic.address,
  source: diagnostic.at && placeJson(diagnostic.at),
  related: (diagnostic.related ?? []).map(({ message, at }) => ({ message, source: placeJson(at) })),
  finding: diagnostic.finding && { ...diagnostic.finding, causes: [...diagnostic.finding.causes] },
  count: diagnostic.folded?.length,
  instances: diagnostic.folded?.map(instanceJson),
});

/** Converts one of the equal problems that a folded problem stands for, so that `plan --json` has the place of each. */
const instanceJson = ({ message, address, secret, at }: Diagnostic) => ({
  message,
  address,
  secret: secret?.name,
  source: at && placeJson(at),
});

const placeJson = ({ file, line, column }: Position): JsonPlace => ({ file, line, column });

/**
 * Formats the output of `trueup validate --format json`: whether a configuration is valid, its problems, and the findings that it turns
 * off.
 */
export function validationJson(diagnostics: Diagnostic[], suppressed: Diagnostic[] = []): string {
  const number = (severity: string) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return jsonText({
    formatVersion: '1.2',
    valid: !hasErrors(diagnostics),
    errors: number('error'),
    warnings: number('warning'),
    notes: number('note'),
    diagnostics: diagnostics.map(diagnosticJson),
    suppressedFindings: suppressed.length > 0 ? suppressed.map(diagnosticJson) : undefined,
  });
}
