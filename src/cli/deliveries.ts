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
import type { Plan } from '../model/plan.ts';
import type { SecretTo } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { home } from './home.ts';
import type { StackOptions } from './options.ts';
import type { Planned } from './plan-session.ts';
import type { Session } from './session.ts';

/** Where the secrets of a run go that are shown once. */
export interface Deliveries {
  /** Refuses a plan that would be shown a secret with no place to go. Throws `Problems`. */
  check(): Promise<void>;
  deliver(to: SecretTo, secret: Sealed, address: Address): Promise<void>;
}

/** Opens the deliveries of a run. What the embedded twin shows is no secret of the account: it stays beside the twin, and no command sees it. */
export function openDeliveries(
  { configuration, sources, host }: Pick<Session, 'configuration' | 'sources' | 'host'>,
  { plan, ledger }: Planned,
  { twin = false, ...files }: StackOptions,
  say: (text: string) => void,
): Deliveries {
  const options = (address: Address): DeliverOptions => ({
    cwd: host.cwd,
    env: host.env,
    judgeCommand: sources.judgeCommand,
    reserved: [
      home,
      ...configuration.files,
      ...(files.varFile ?? []),
      ...[files.tokenFile, files.ledger].filter((file) => file !== undefined),
    ],
    mayReplace: twin || ledger.entries[address] !== undefined,
  });
  const besideTwin = (file: string) => ({
    file: join(home, 'twin', 'secrets', relative(host.cwd, resolve(host.cwd, file))),
  });
  const openly = (address: Address) => ({ ...options(address), reserved: [] });
  const wrongWith = async (to: SecretTo, address: Address) => {
    if (!twin || to === 'discard') return undeliverable(to, options(address));
    if ('command' in to) return undefined;
    return (await undeliverable(to, options(address))) ?? undeliverable(besideTwin(to.file), openly(address));
  };
  const deliver = async (to: SecretTo, secret: Sealed, address: Address) => {
    if (!twin || to === 'discard') return deliverSecret(to, secret, options(address));
    if ('command' in to)
      return say(`${address}: what the twin showed is given to no command; with an account it would be.`);
    const place = besideTwin(to.file);
    await deliverSecret(place, secret, openly(address));
    say(`${address}: what the twin showed is in ${place.file}; with an account it would be in ${to.file}.`);
  };
  return { deliver, check: () => refuseUndeliverable(plan, host.cwd, wrongWith) };
}

/** A secret that is shown once must have somewhere to go before it is asked for. */
async function refuseUndeliverable(
  { changes, operations }: Plan,
  cwd: string,
  wrongWith: (to: SecretTo, address: Address) => Promise<Undeliverable | undefined>,
): Promise<void> {
  const shown = new Set(
    operations.flatMap(({ requests }) => requests.flatMap(({ shows }) => shows?.address ?? [])),
  );
  const holders = await holdersOf(changes, cwd);
  const found = await Promise.all(
    changes.map(async ({ address, after, at }) => {
      const to = after?.meta.secretTo;
      if (to === undefined || !shown.has(address)) return [];
      const other = holders.find((one) => one.includes(address))?.find((one) => one !== address);
      const wrong: Undeliverable | undefined = other
        ? { message: `that of ${other} goes into the same file`, hint: 'give each of them a file of its own' }
        : await wrongWith(to, address);
      const message = `${address}: its secret could not be delivered: ${wrong?.message}`;
      return wrong
        ? [problem('secret/undeliverable', message, { address, hint: wrong.hint, ...(at ? { at } : {}) })]
        : [];
    }),
  );
  const problems = found.flat();
  if (problems.length > 0) throw new Problems(problems);
}

/** The addresses whose secrets go into one file, for each file. */
async function holdersOf(changes: Plan['changes'], cwd: string): Promise<Address[][]> {
  const holders = new Map<string, Address[]>();
  for (const { address, after } of [...changes].sort(byAddress)) {
    const to = after?.meta.secretTo;
    if (to === undefined || to === 'discard' || 'command' in to) continue;
    const place = await placeOf(to.file, cwd);
    if (typeof place !== 'string') continue;
    holders.set(place, [...(holders.get(place) ?? []), address]);
  }
  return [...holders.values()];
}
