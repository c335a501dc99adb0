import type { Change, FieldChange } from '../model/change.ts';
import type { Operation, Plan, Request } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { type Fields, fieldsOf, type Value } from '../model/value.ts';
import { decode, type Encoded } from './encode.ts';
import type { SavedAction, SavedChange, SavedPlan, SavedRequest } from './saved-plan.ts';

/** A saved plan as reports take it: good for showing, not for applying. They make the same of it as of the plan itself. */
export const shownPlan = ({ stack, account, complete, partial, ...saved }: SavedPlan): Plan => ({
  stack,
  ...(account ? { account } : {}),
  complete,
  ...(partial ? { partial } : {}),
  changes: saved.changes.map(changeOf),
  operations: saved.operations.map(
    ({ requests, ...operation }): Operation => ({ ...operation, requests: requests.map(requestOf) }),
  ),
  ...(saved.actions ? { actions: saved.actions.map(actionOf) } : {}),
  unmanaged: saved.unmanaged.map((one) => ({ ...one, id: '' })),
  ...(saved.unlisted ? { unlisted: saved.unlisted } : {}),
  ...(saved.waiting ? { waiting: saved.waiting } : {}),
  ...(saved.changedBy ? { changedBy: saved.changedBy } : {}),
  diagnostics: saved.diagnostics,
  ...(saved.guards ? { guards: saved.guards } : {}),
  ...(saved.sources ? { sources: saved.sources } : {}),
});

const requestOf = ({ endpoint, params, body }: SavedRequest): Request => ({
  endpoint,
  ...(params ? { params: decode(params) as Record<string, Value> } : {}),
  ...(body === undefined ? {} : { body: decode(body) }),
});

const actionOf = ({ input, request, owed, ...one }: SavedAction): PlannedAction => ({
  ...one,
  input: decode(input) as Fields,
  ...(request ? { request: requestOf(request) } : {}),
  // Of the debt a file knows only the run.
  ...(owed === undefined
    ? {}
    : { owed: { action: one.action, input: {}, from: one.from, since: '', run: owed } }),
});

const changeOf = ({ deleted, beside, kept, fields, ...change }: SavedChange): Change => ({
  ...change,
  fields: fields.map(
    ({ before, after, ...field }): FieldChange => ({
      ...field,
      ...(before === undefined ? {} : { before: decode(before) as Value }),
      ...(after === undefined ? {} : { after: decode(after) as Value }),
    }),
  ),
  ...(kept ? { declared: Object.keys(kept), after: wantedOf(change, kept) } : {}),
  ...(deleted || beside ? { before: objectOf(change, deleted ?? beside!) } : {}),
});

/** As much of what is wanted as is not among the fields that differ. */
const wantedOf = (
  { address, kind, at }: Pick<SavedChange, 'address' | 'kind' | 'at'>,
  kept: Record<string, Encoded>,
): Resource => ({
  address,
  kind,
  fields: fieldsOf(Object.entries(kept).map(([path, value]) => [path, decode(value) as Value])),
  meta: {},
  index: 0,
  at: at ?? { file: '', line: 0, column: 0 },
});

const objectOf = (
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
