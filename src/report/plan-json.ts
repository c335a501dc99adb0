import { byAddress } from '../model/address.ts';
import type { Pace } from '../model/budget.ts';
import { type Change, type FieldChange, isHiddenSide } from '../model/change.ts';
import { type Diagnostic, hasErrors, type Position } from '../model/diagnostic.ts';
import { countNotCompared, type NotCompared } from '../model/not-compared.ts';
import { canaryOperation, type Operation, type Plan } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import type { Request } from '../model/request.ts';
import { Sealed } from '../model/sealed.ts';
import { isHole, isJoin, isSecret, type Value } from '../model/value.ts';
import { dropUndefined } from '../model/walk.ts';
import { forecast } from './forecast.ts';
import { jsonText, jsonValue } from './json-value.ts';
import { reportedDiagnostics } from './not-compared-text.ts';
import type { JsonDiagnostic, JsonField, JsonPlace, PlanDocument } from './plan-document.ts';
import { lineOf } from './request-text.ts';
import { summarizePlan } from './summarize-plan.ts';

/** The plan as a document for programs: its own stable format, without secrets and without whole objects. */
export function planJson(plan: Plan, pace?: Pace): PlanDocument {
  return {
    formatVersion: '1.10',
    stack: plan.stack,
    ...dropUndefined({ account: plan.account }),
    complete: plan.complete,
    summary: summarizePlan(plan),
    ...dropUndefined({ notCompared: plan.notCompared?.map(notComparedJson) }),
    changes: [...plan.changes].sort(byAddress).map(changeJson),
    operations: plan.operations.map(operationJson),
    ...dropUndefined({
      firstContact: firstContactJson(plan),
      actions: plan.actions?.map(actionJson),
    }),
    forecast: forecast(plan, pace),
    ...dropUndefined({
      unlisted: plan.unlisted,
      reads: plan.reads,
      waiting: plan.waiting,
      changedBy: plan.changedBy,
      guards: plan.guards,
      sources: plan.sources,
    }),
    diagnostics: reportedDiagnostics(plan).map(diagnosticJson),
  };
}

/** The first contact with an account, and the change that is tried first. */
function firstContactJson(plan: Plan): PlanDocument['firstContact'] {
  if (!plan.firstContact) return undefined;
  const canary = canaryOperation(plan);
  return canary ? { firstChange: { operation: canary.id, changes: canary.changes } } : {};
}

/** One cause for which objects or secrets were not compared, with all of them. */
export const notComparedJson = ({ cause, why, items }: NotCompared) => ({
  cause,
  ...dropUndefined({ reason: why }),
  ...countNotCompared([{ cause, items }]),
  items: items.map(({ address, kind, path, undeclared, at }) => ({
    address,
    kind,
    ...dropUndefined({ path }),
    declared: undeclared !== true,
    ...dropUndefined({ source: at && placeJson(at) }),
  })),
});

/** The JSON in place of a plan that could not be made. */
export function failureJson(diagnostics: Diagnostic[]): PlanDocument {
  const { stack: _, ...nothing } = planJson({
    stack: '',
    complete: false,
    changes: [],
    operations: [],
    unmanaged: [],
    diagnostics,
  });
  return nothing;
}

/** The JSON of a failed command whose own document has no room for problems. */
export const errorJson = (diagnostics: Diagnostic[]) => ({
  formatVersion: '1.0',
  diagnostics: diagnostics.map(diagnosticJson),
});

/** One change, by itself. */
export const changeJson = (change: Change): PlanDocument['changes'][number] => ({
  address: change.address,
  kind: change.kind,
  action: change.action,
  ...dropUndefined({ id: change.id, takenFrom: change.takenFrom, reason: change.reason }),
  grade: change.grade,
  ...dropUndefined({ gradeReason: change.gradeReason, permissions: change.permissions }),
  moves: change.action === 'move' || change.moves === true,
  ...dropUndefined({ position: change.position, renews: change.changesLedgerOnly }),
  // A plan that an older version saved does not say.
  undo: change.undo?.can ?? 'no',
  ...dropUndefined({
    undoLost: change.undo?.lost,
    undoReason: change.undo ? change.undo.why : 'it is not known',
  }),
  fields: change.fields.map(fieldJson),
  ...dropUndefined({ source: change.at && placeJson(change.at) }),
});

/** One field of a change; secrets by their names. */
export function fieldJson(field: FieldChange): JsonField {
  // A secret's name may be told, whether or not the secret itself is at hand.
  const isTellable = (value: unknown) => value instanceof Sealed || (isHole(value) && !isJoin(value));
  const side = (value: Value | undefined) =>
    !isHiddenSide(field, value) || isTellable(value) ? jsonValue(value) : '(secret)';
  return {
    path: field.path,
    ...dropUndefined({ before: side(field.before), after: side(field.after) }),
    cause: field.cause,
    secret: field.secret === true || isSecret(field.before) || isSecret(field.after),
    replaces: field.replaces === true,
    ...dropUndefined({ notKept: field.notKept }),
  };
}

const operationJson = ({ id, kind, changes, dependsOn, requests }: Operation) => ({
  id,
  kind,
  changes,
  dependsOn,
  requests: requests.map(requestJson),
});

const requestJson = (request: Request) => ({
  ...lineOf(request),
  ...dropUndefined({ body: jsonValue(request.body) }),
});

/** One action that follows, by itself. */
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
  ...dropUndefined({ waits: wait, request: request && requestJson(request) }),
});

/** Also what `validate --format json` lists. */
export const diagnosticJson = (diagnostic: Diagnostic): JsonDiagnostic => ({
  severity: diagnostic.severity,
  code: diagnostic.code,
  message: diagnostic.message,
  ...dropUndefined({ hint: diagnostic.hint, address: diagnostic.address }),
  ...dropUndefined({ source: diagnostic.at && placeJson(diagnostic.at) }),
  related: (diagnostic.related ?? []).map(({ message, at }) => ({ message, source: placeJson(at) })),
  ...dropUndefined({
    count: diagnostic.folded?.length,
    instances: diagnostic.folded?.map(instanceJson),
  }),
});

const instanceJson = ({ message, address, secret, at }: Diagnostic) => ({
  message,
  ...dropUndefined({ address, secret: secret?.name, source: at && placeJson(at) }),
});

const placeJson = ({ file, line, column }: Position): JsonPlace => ({ file, line, column });

/** The output of `validate --format json`: whether a configuration is valid, and all that is wrong with it. */
export function validationJson(diagnostics: Diagnostic[]): string {
  const number = (severity: string) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return jsonText({
    formatVersion: '1.1',
    valid: !hasErrors(diagnostics),
    errors: number('error'),
    warnings: number('warning'),
    diagnostics: diagnostics.map(diagnosticJson),
  });
}
