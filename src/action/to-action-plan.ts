import type { Action } from '../kind/action.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Account, Plan } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import type { SecretTo } from '../model/resource.ts';

interface ActionPlanInput {
  stack: string;
  account?: Account;
  /** The object that the action is about; absent for an action about the account. */
  about?: { address: Address; kind: string };
  request: Request;
  /** The destination of the secret in the answer. */
  secretTo?: SecretTo;
}

/**
 * Returns an action as a plan with one change and one request, so that it goes through the same guards, reports and history as an apply.
 * The object that it is about counts as updated, without changed fields.
 */
export function toActionPlan({ name, grade, why, cost, shows }: Action, input: ActionPlanInput): Plan {
  const { stack, account, about, request, secretTo } = input;
  const address = about?.address ?? name;
  const change: Change = {
    address,
    kind: about?.kind ?? name,
    action: 'update',
    fields: [],
    grade,
    reason: `run ${name}`,
    run: name,
    undo: { can: 'no', why: 'an action cannot be undone' },
    gradeReason: why,
    permissions: cost === undefined ? undefined : ['cost'],
    after: {
      address,
      kind: name,
      fields: {},
      meta: secretTo === undefined ? {} : { secretTo },
      index: 0,
      at: { file: '', line: 0, column: 0 },
    },
  };
  const shown = shows === undefined ? {} : { shows: { address, path: shows.split('.') } };
  return {
    stack,
    account,
    complete: true,
    isNarrowed: true,
    changes: [change],
    operations: [
      {
        id: `run ${name} ${address}`,
        kind: change.kind,
        changes: [address],
        requests: [{ ...request, ...shown }],
        dependsOn: [],
      },
    ],
    unmanaged: [],
    diagnostics: [],
  };
}
