import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { ApplyEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Operation, Plan, Request, Send } from '../model/plan.ts';
import type { Live } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { lookUp, type Value } from '../model/value.ts';
import { fill } from './fill.ts';
import { begun, recorded } from './record.ts';
import { schedule } from './schedule.ts';

export interface ApplyOptions {
  plan: Plan;
  live: Live;
  ledger: Ledger;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  key?: LedgerKey | undefined;
  /** The configuration's files, to be remembered. */
  inputs: string[];
  send: Send;
  parallelism: number;
  onEvent(event: ApplyEvent): void;
  /** Keeps the ledger as it is now; called after each finished operation. */
  save(ledger: Ledger): Promise<void>;
  /** Once aborted, what is in flight is finished and nothing new is started. */
  stop?: AbortSignal;
}

/** Does what the plan says, and writes down what happened. Never throws for what the platform answers: see the outcome. */
export async function apply(options: ApplyOptions): Promise<{ outcome: Outcome; ledger: Ledger }> {
  const { plan, kinds, ledger: before, onEvent, key } = options;
  const changeOf = new Map(plan.changes.map((change) => [change.address, change]));
  const ids = new Map<Address, string[]>(
    [...options.live.resources].map(([address, live]) => [address, live.ids]),
  );
  const entries = { ...before.entries };
  const ledger = { ...before, entries, inputs: options.inputs };
  const left = new Map<Address, number>();
  for (const { changes } of plan.operations)
    for (const address of changes) left.set(address, (left.get(address) ?? 0) + 1);
  const failed = new Map<Address, unknown>();
  const skipped = new Map<Address, string>();
  const done: Address[] = [];

  const record = (change: Change) => {
    const kind = kinds.get(change.kind)!;
    const current = ids.get(change.address) ?? change.before?.ids ?? [];
    const entry = recorded(change, kind, current, entries[change.address], key);
    if (entry) entries[change.address] = entry;
    else forgetBelow(change);
  };
  const forgetBelow = ({ address, action }: Change) => {
    delete entries[address];
    // What was in a deleted container went with it.
    if (action === 'delete')
      for (const other of Object.keys(entries)) if (other.startsWith(`${address}/`)) delete entries[other];
  };

  for (const change of plan.changes) {
    if (left.has(change.address)) continue;
    const isOurs =
      entries[change.address] !== undefined || change.action !== 'noop' || change.after?.meta.existing;
    if (!isOurs) continue;
    record(change);
    if (change.action !== 'noop') done.push(change.address);
  }
  await options.save(ledger);

  const attribute = (address: Address, attr: string): Value | undefined => {
    if (attr === 'id') return ids.get(address)?.at(-1);
    return changeOf.get(address)?.after?.fields[attr] ?? options.live.resources.get(address)?.fields[attr];
  };

  const note = (request: Request, answer: unknown, kindName: string) => {
    const kind = kinds.get(kindName)!;
    const assign = (address: Address, change: (ids: string[]) => string[]) => {
      const now = change(ids.get(address) ?? []);
      ids.set(address, now);
      const owner = kinds.get(changeOf.get(address)?.kind ?? kindName) ?? kind;
      if (now.length > 0) entries[address] = begun(owner, now, entries[address]);
    };
    for (const { address, id } of request.drops ?? [])
      assign(address, (held) => held.filter((other) => other !== id));
    for (const returned of request.returns ?? []) {
      const id = 'id' in returned ? returned.id : lookUp(answer, returned.path);
      if (id === undefined || id === null)
        throw new Error(`the platform's answer does not say the id of ${returned.address}`);
      assign(returned.address, (held) => [...held, String(id)]);
    }
    const refused: string[] = [];
    if (request.batch) {
      const outcome = kind.api.outcome!(answer, request);
      request.batch.forEach((addresses, index) => {
        const result = outcome[index]!;
        for (const address of addresses) {
          if ('id' in result) assign(address, () => [result.id]);
          else {
            failed.set(address, new Error(result.error));
            refused.push(`${address}: ${result.error}`);
          }
        }
      });
    }
    if (refused.length > 0) throw new PartlyRefused(refused);
  };

  const perform = async (operation: Operation) => {
    const results: unknown[] = [];
    for (const request of operation.requests) {
      const whole = fill(request, { attribute, secrets: options.secrets, results });
      const answer = await options.send(whole).catch((error) => {
        if (request.endpoint.startsWith('DELETE ') && isGone(error)) return undefined;
        throw error;
      });
      results.push(answer);
      note({ ...whole, ...(request.batch ? { batch: request.batch } : {}) }, answer, operation.kind);
    }
  };

  const finish = (operation: Operation) => {
    for (const address of operation.changes) {
      left.set(address, left.get(address)! - 1);
      if (left.get(address)! > 0 || failed.has(address) || skipped.has(address)) continue;
      const change = changeOf.get(address);
      if (!change) continue;
      record(change);
      done.push(address);
    }
  };

  await schedule({
    operations: plan.operations,
    parallelism: options.parallelism,
    stopped: () => options.stop?.aborted ?? false,
    run: async (operation) => {
      onEvent({ type: 'started', operation });
      let result: 'done' | 'failed' = 'done';
      try {
        await perform(operation);
        finish(operation);
        onEvent({ type: 'succeeded', operation });
      } catch (error) {
        result = 'failed';
        if (error instanceof PartlyRefused) finish(operation);
        else for (const address of operation.changes) failed.set(address, error);
        onEvent({ type: 'failed', operation, error });
      }
      await options.save(ledger);
      return result;
    },
    skip: (operation, because) => {
      const text = because === 'stopped' ? 'the run was stopped' : because.failed.changes[0]!;
      for (const address of operation.changes) if (!failed.has(address)) skipped.set(address, text);
      onEvent({ type: 'skipped', operation, because: text });
    },
  });

  const outcome: Outcome = {
    done: done.filter((address) => !failed.has(address) && !skipped.has(address)).sort(),
    failed: [...failed].map(([address, error]) => ({ address, error })),
    skipped: [...skipped]
      .filter(([address]) => !failed.has(address))
      .map(([address, because]) => ({ address, because })),
    interrupted: options.stop?.aborted ?? false,
  };
  return { outcome, ledger };
}

/** Some items of a batch were refused; the others are done. */
class PartlyRefused extends Error {
  constructor(refused: string[]) {
    super(refused.join('; '));
  }
}

/** Somebody else deleted it first. */
const isGone = (error: unknown) => [404, 410].includes((error as { status?: number }).status ?? 0);
