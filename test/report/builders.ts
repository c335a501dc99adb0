import type { Change, ChangeAction, ChangeOf, FieldChange } from '../../src/model/change.ts';
import type { Operation, Plan } from '../../src/model/plan.ts';
import type { Request } from '../../src/model/request.ts';
import type { Resource } from '../../src/model/resource.ts';
import type { Ref, SecretRef } from '../../src/model/value.ts';
import { styleFor } from '../../src/report/style.ts';

export const plainStyle = styleFor({ color: false, width: 80 });
export const colorStyle = styleFor({ color: true, width: 80 });

export const at = (line: number, column = 5, text?: string) => ({ file: 'trueup.yaml', line, column, text });
export const ref = ($ref: string, attr = 'id'): Ref => ({ $ref, attr });
export const secret = ($secret: string): SecretRef => ({ $secret });

export const edit = (
  path: string,
  before: FieldChange['before'],
  after: FieldChange['after'],
): FieldChange => ({
  path,
  before,
  after,
  cause: 'edit',
});

export const set = (path: string, after: FieldChange['after']): FieldChange => ({
  path,
  after,
  cause: 'edit',
});

/** A change with only the members that a test needs: its live and its desired object may be missing. */
export function change<A extends ChangeAction>(
  action: A,
  address: string,
  more: Partial<Change> = {},
): ChangeOf<A> {
  const members: object = { address, kind: 'thing', action, fields: [], grade: 'safe', ...more };
  return members as ChangeOf<A>;
}

export function operation(changes: string[], requests: Request[], more: Partial<Operation> = {}): Operation {
  return {
    id: `thing write ${changes[0]}`,
    kind: 'thing',
    changes,
    requests,
    dependsOn: [],
    ...more,
  };
}

export function planOf(more: Partial<Plan> = {}): Plan {
  return {
    stack: 'acme-production',
    complete: true,
    changes: [],
    operations: [],
    unmanaged: [],
    diagnostics: [],
    ...more,
  };
}

export const resource = (address: string, fields: Resource['fields']): Resource => ({
  address,
  kind: 'thing',
  fields,
  meta: {},
  index: 0,
  at: at(1),
});
