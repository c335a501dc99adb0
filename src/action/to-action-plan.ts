import type { Action } from '../kind/action.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Account, Plan } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import type { SecretTo } from '../model/resource.ts';

interface ActionPlanInput {
  stack: string;
  account?: Account;
  about?: { address: Address; kind: string };
  request: Request;
  /** The destination of the secret in its answer. */
  secretTo?: SecretTo;
}

/**
 * One action as a plan, for those who judge plans: what it is about counts as updated, without a field, and what costs says so. About the
 * account there is no change, and one request.
 */
export function toActionPlan({ name, grade, why, cost, shows }: Action, planned: ActionPlanInput): Plan {
  const { stack, account, about, request, secretTo } = planned;
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
    partial: true,
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
