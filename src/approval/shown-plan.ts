import type { Change, FieldChange } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Operation, Plan } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import type { Request } from '../model/request.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { type Fields, fieldsFromLeaves, type Value } from '../model/value.ts';
import { decode, type Encoded } from './encode.ts';
import type { SavedAction, SavedChange, SavedPlan, SavedRequest } from './saved-plan.ts';

/**
 * Returns a saved plan in the form that reports take, so that they show it like a new plan. It cannot be applied, because it has no live
 * objects and no secrets.
 */
export const shownPlan = ({ stack, account, complete, partial, ...saved }: SavedPlan): Plan => ({
  stack,
  account,
  complete,
  isNarrowed: partial,
  notCompared: saved.notCompared,
  changes: saved.changes.map(loadChange),
  operations: saved.operations.map(
    ({ requests, ...operation }): Operation => ({ ...operation, requests: requests.map(loadRequest) }),
  ),
  firstContact: saved.firstContact,
  actions: saved.actions?.map(loadAction),
  unmanaged: saved.unmanaged.map((object) => ({ ...object, id: '' })),
  partialKinds: saved.unlisted,
  waiting: saved.waiting,
  changedBy: saved.changedBy,
  diagnostics: saved.diagnostics.map(loadDiagnostic),
  lists: saved.lists,
  fixedFindings: saved.fixedFindings?.map(loadDiagnostic),
  suppressedFindings: saved.suppressedFindings?.map(loadDiagnostic),
  guards: saved.guards,
  sources: saved.sources,
});

/**
 * Converts a problem of a plan file back to the form that reports such as `trueup show FILE` print. If it stands for equal problems of
 * several objects (`folded`), the file leaves out the severity and code of each, because they are those of the whole problem, and `secret`
 * is only the name of the secret.
 */
const loadDiagnostic = ({ folded, ...diagnostic }: SavedPlan['diagnostics'][number]): Diagnostic => ({
  ...diagnostic,
  ...(folded
    ? {
        folded: folded.map(({ secret, ...instance }) => ({
          severity: diagnostic.severity,
          code: diagnostic.code,
          ...instance,
          secret: secret === undefined ? undefined : { name: secret },
        })),
      }
    : {}),
});

/** Converts a request of a plan file for reports such as `trueup show FILE`, which show what an apply would send. */
const loadRequest = ({ endpoint, params, body }: SavedRequest): Request => ({
  endpoint,
  params: params && (decode(params) as Record<string, Value>),
  body: body === undefined ? undefined : decode(body),
});

/**
 * Converts a `$then` action of a plan file for reports. If an earlier run owes it (has left it undone), the
 * file has only the name of that run, because reports show no more of it.
 */
const loadAction = ({ input, request, owed, ...otherMembers }: SavedAction): PlannedAction => ({
  ...otherMembers,
  input: decode(input) as Fields,
  request: request && loadRequest(request),
  ...(owed === undefined
    ? {}
    : { owed: { action: otherMembers.action, input: {}, from: otherMembers.from, since: '', run: owed } }),
});

/**
 * Returns a change of a plan file in the form that reports such as `trueup show FILE` take. The file has only some fields of the objects:
 * of the declared one (`after`) those that stay (`unchangedFields`), and of the live one (`before`) all fields of a deleted object
 * (`deletedFields`) or the undeclared ones (`undeclaredFields`), which policies judge. `after` and `before` are set even without fields if
 * the action implies such an object.
 */
const loadChange = ({
  deletedFields,
  undeclaredFields,
  unchangedFields,
  fields,
  ...change
}: SavedChange): Change =>
  ({
    ...change,
    fields: fields.map(
      ({ before, after, ...field }): FieldChange => ({
        ...field,
        before: before === undefined ? undefined : (decode(before) as Value),
        after: after === undefined ? undefined : (decode(after) as Value),
      }),
    ),
    declared: unchangedFields && Object.keys(unchangedFields),
    after:
      unchangedFields || alwaysHasDesired(change)
        ? desiredResource(change, unchangedFields ?? {})
        : undefined,
    before:
      deletedFields || undeclaredFields || alwaysHasLive(change)
        ? liveObject(change, deletedFields ?? undeclaredFields ?? {})
        : undefined,
  }) as Change;

/**
 * True for the actions whose object is always declared in the YAML, so that reports such as `trueup show FILE` need a desired resource for
 * the change, even if the plan file has no fields of it.
 */
const alwaysHasDesired = ({ action }: Pick<SavedChange, 'action'>): boolean =>
  action === 'create' ||
  action === 'adopt' ||
  action === 'update' ||
  action === 'replace' ||
  action === 'move';

/**
 * True for the actions whose object is always in the account before, so that reports such as `trueup show FILE` need a live object for the
 * change, even if the plan file has no fields of it. With another action, reports need one only if the file has its fields (`deletedFields`
 * or `undeclaredFields`).
 */
const alwaysHasLive = ({ action }: Pick<SavedChange, 'action'>): boolean =>
  action === 'replace' || action === 'move' || action === 'delete';

/**
 * Returns the desired resource of a change in a plan file for reports such as `trueup show FILE`. It has only the unchanged fields, which
 * reports show as context; the changed ones are in `Change.fields`.
 */
const desiredResource = (
  { address, kind, at }: Pick<SavedChange, 'address' | 'kind' | 'at'>,
  unchangedFields: Record<string, Encoded>,
): Resource => ({
  address,
  kind,
  fields: fieldsFromLeaves(
    Object.entries(unchangedFields).map(([path, value]) => [path, decode(value) as Value]),
  ),
  meta: {},
  index: 0,
  at: at ?? { file: '', line: 0, column: 0 },
});

/**
 * Returns the live object of a change in a plan file, with the fields that the file has, for reports such as `trueup show FILE`: they show
 * deleted objects, and policies judge live ones. Its place in the list is not saved, and `index` is only a placeholder.
 */
const liveObject = (
  { address, kind, id = '' }: Pick<Change, 'address' | 'kind' | 'id'>,
  fields: Record<string, Encoded>,
): LiveResource => ({
  address,
  kind,
  id,
  ids: [id],
  index: 0,
  fields: decode(fields) as Fields,
});
