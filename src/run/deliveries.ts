import { join, relative, resolve } from 'node:path';
import {
  type DeliverOptions,
  deliverSecret,
  placeOf,
  type Undeliverable,
  undeliverable,
} from '../config/deliver-secret.ts';
import { type Address, byAddress } from '../model/address.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { externalDestination, type SecretTo } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Planned } from './open-plan.ts';

/** Delivers the secrets of a run that are shown only once. */
export interface Deliveries {
  /** Refuses a plan with a secret that has no place to go. Throws `Problems`. */
  check(): Promise<void>;
  deliver(to: SecretTo, secret: Sealed, address: Address): Promise<void>;
}

interface DeliveriesOptions extends Omit<DeliverOptions, 'mayReplace'> {
  /** Set for the embedded twin: its secrets are nobody's, go into this folder, and are given to no command. */
  twinFolder?: string | undefined;
  /** Tells a person where a secret went. */
  say(text: string): void;
}

/** Opens the deliveries of a run. */
export function openDeliveries(
  { plan, ledger }: Pick<Planned, 'plan' | 'ledger'>,
  { twinFolder, say, ...places }: DeliveriesOptions,
): Deliveries {
  const { cwd } = places;
  const options = (address: Address): DeliverOptions => ({
    ...places,
    mayReplace: twinFolder !== undefined || ledger.entries[address] !== undefined,
  });
  const openly = (address: Address) => ({ ...options(address), reserved: [] });
  const besideTwin = (file: string) => ({ file: join(twinFolder!, relative(cwd, resolve(cwd, file))) });
  const wrongWith = async (to: SecretTo, address: Address) => {
    if (twinFolder === undefined || to === 'discard') return undeliverable(to, options(address));
    if ('command' in to) return undefined;
    return (await undeliverable(to, options(address))) ?? undeliverable(besideTwin(to.file), openly(address));
  };
  const deliver = async (to: SecretTo, secret: Sealed, address: Address) => {
    if (twinFolder === undefined || to === 'discard') return deliverSecret(to, secret, options(address));
    if ('command' in to)
      return say(`${address}: the twin's secret is not passed to the command; a real one would be.`);
    const place = besideTwin(to.file);
    await deliverSecret(place, secret, openly(address));
    say(`${address}: the twin's secret is in ${place.file}; a real one would be in ${to.file}.`);
  };
  return { deliver, check: () => refuseUndeliverable(plan, cwd, wrongWith) };
}

/** Refuses a plan in which a secret shown only once has nowhere to go: that is checked before the platform shows it. */
async function refuseUndeliverable(
  { changes, operations }: Plan,
  cwd: string,
  wrongWith: (to: SecretTo, address: Address) => Promise<Undeliverable | undefined>,
): Promise<void> {
  const shown = new Set(
    operations.flatMap(({ requests }) => requests.flatMap(({ shows }) => shows?.address ?? [])),
  );
  const holders = await holdersOf(changes, cwd);
  const diagnostics = await Promise.all(
    changes.map(async ({ address, after, at }) => {
      const to = after && externalDestination(after.meta);
      if (to === undefined || !shown.has(address)) return [];
      const other = holders.find((holder) => holder.includes(address))?.find((one) => one !== address);
      const wrong: Undeliverable | undefined = other
        ? { message: `the secret of ${other} goes to the same file`, hint: 'give each its own file' }
        : await wrongWith(to, address);
      const message = `${address}: its secret could not be delivered: ${wrong?.message}`;
      return wrong
        ? [problem('secret/undeliverable', message, { address, hint: wrong.hint, ...(at ? { at } : {}) })]
        : [];
    }),
  );
  const problems = diagnostics.flat();
  if (problems.length > 0) throw new Problems(problems);
}

/** The addresses whose secrets go into one file, for each file. */
async function holdersOf(changes: Plan['changes'], cwd: string): Promise<Address[][]> {
  const holders = new Map<string, Address[]>();
  for (const { address, after } of [...changes].sort(byAddress)) {
    const to = after && externalDestination(after.meta);
    if (to === undefined || to === 'discard' || 'command' in to) continue;
    const place = await placeOf(to.file, cwd);
    if (typeof place === 'string') addTo(holders, place, address);
  }
  return [...holders.values()];
}
