import { join, relative, resolve } from 'node:path';
import {
  type DeliverOptions,
  type DeliveryProblem,
  deliverSecret,
  findDeliveryProblem,
  resolveSecretFile,
} from '../config/deliver-secret.ts';
import { type Address, byAddress, indexByAddress } from '../model/address.ts';
import { problem, raiseErrors } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { externalDestination, type SecretTo } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Planned } from './open-plan.ts';

/** Delivers the secrets that the platform shows only once, in the answer to a creation. */
export interface Deliveries {
  /** Throws `Problems` if a secret of the plan could not be delivered. Called before the first request, when nothing is lost yet. */
  check(): Promise<void>;
  deliver(destination: SecretTo, secret: Sealed, address: Address): Promise<void>;
}

interface DeliveriesOptions extends Omit<DeliverOptions, 'mayReplace'> {
  /** The folder for secrets of the embedded twin. They are not real, so they go there and are not passed to commands. */
  twinFolder?: string | undefined;
  /** Shows a message to the user. */
  say(text: string): void;
}

/** Checks and delivers single secrets, to the real destinations or for the twin. */
interface Deliverer {
  deliver: Deliveries['deliver'];
  /** Returns why a destination is unusable; undefined if it is not. Writes nothing. */
  findObstacle(destination: SecretTo, address: Address): Promise<DeliveryProblem | undefined>;
}

/**
 * Returns the deliveries of a run: they write the secrets that the platform shows only once, in the answer to
 * a creation, to files or commands (`$secretTo`). With the embedded twin (a local copy of the platform),
 * secrets are not real: files go to `twinFolder` at the same relative path, and commands are not run.
 */
export function openDeliveries(
  { plan, ledger }: Pick<Planned, 'plan' | 'ledger'>,
  { twinFolder, say, ...deliverOptions }: DeliveriesOptions,
): Deliveries {
  const changeOf = indexByAddress(plan.changes);
  // An object with a new label is still under its old address in the ledger. Its file has its earlier secret.
  const isRecorded = (address: Address) =>
    ledger.entries[changeOf.get(address)?.recordedAddress ?? address] !== undefined;
  const optionsFor = (address: Address): DeliverOptions => ({
    ...deliverOptions,
    mayReplace: twinFolder !== undefined || isRecorded(address),
  });
  const { deliver, findObstacle } =
    twinFolder === undefined ? createDeliverer(optionsFor) : createTwinDeliverer(optionsFor, twinFolder, say);
  return { deliver, check: () => refuseUndeliverable(plan, deliverOptions.cwd, findObstacle) };
}

/** Returns the deliverer to the real destinations. `optionsFor`: the options for the secret of an address. */
const createDeliverer = (optionsFor: (address: Address) => DeliverOptions): Deliverer => ({
  deliver: (destination, secret, address) => deliverSecret(destination, secret, optionsFor(address)),
  findObstacle: (destination, address) => findDeliveryProblem(destination, optionsFor(address)),
});

/**
 * Returns the deliverer for the secrets of the embedded twin. Files go to `twinFolder` at the same relative path, and commands are not run,
 * because these secrets are not real. Says where a real secret would go.
 */
function createTwinDeliverer(
  optionsFor: (address: Address) => DeliverOptions,
  twinFolder: string,
  say: DeliveriesOptions['say'],
): Deliverer {
  const real = createDeliverer(optionsFor);
  // The folder of the twin lies in trueup's own folder, and everything else in that folder is reserved.
  const twin = createDeliverer((address) => ({ ...optionsFor(address), reserved: undefined }));
  const twinFile = (file: string, address: Address) => {
    const { cwd } = optionsFor(address);
    return { file: join(twinFolder, relative(cwd, resolve(cwd, file))) };
  };
  return {
    findObstacle: async (destination, address) => {
      if (destination === 'discard') return real.findObstacle(destination, address);
      if ('command' in destination) return undefined;
      // The declared file is checked as well, although nothing is written there, because a real run would need it.
      return (
        (await real.findObstacle(destination, address)) ??
        twin.findObstacle(twinFile(destination.file, address), address)
      );
    },
    deliver: async (destination, secret, address) => {
      if (destination === 'discard') return real.deliver(destination, secret, address);
      if ('command' in destination)
        return say(`${address}: the twin's secret is not passed to the command; a real one would be.`);
      const { file } = twinFile(destination.file, address);
      await twin.deliver({ file }, secret, address);
      say(`${address}: the twin's secret is in ${file}; a real one would be in ${destination.file}.`);
    },
  };
}

/**
 * Throws `Problems` for each secret of a plan that could not be delivered: its destination is unusable, or two
 * secrets go to the same file. Called before the first write, because the platform shows each secret only once.
 * `findObstacle`: returns why a destination is unusable, if it is.
 */
async function refuseUndeliverable(
  { changes, operations }: Plan,
  cwd: string,
  findObstacle: (destination: SecretTo, address: Address) => Promise<DeliveryProblem | undefined>,
): Promise<void> {
  const shownAddresses = new Set(
    operations.flatMap(({ requests }) => requests.flatMap(({ shows }) => shows?.address ?? [])),
  );
  const addressesByFile = await groupByFile(changes, cwd);
  const findCollision = (address: Address): DeliveryProblem | undefined => {
    const sharing = addressesByFile.find((addresses) => addresses.includes(address));
    const otherAddress = sharing?.find((candidate) => candidate !== address);
    return otherAddress === undefined
      ? undefined
      : { message: `the secret of ${otherAddress} goes to the same file`, hint: 'give each its own file' };
  };
  const problems = await Promise.all(
    changes.map(async ({ address, after, at }) => {
      const destination = after && externalDestination(after.meta);
      if (destination === undefined || !shownAddresses.has(address)) return [];
      const obstacle = findCollision(address) ?? (await findObstacle(destination, address));
      if (!obstacle) return [];
      const message = `${address}: its secret could not be delivered: ${obstacle.message}`;
      return [problem('secret/undeliverable', message, { address, hint: obstacle.hint, at })];
    }),
  );
  raiseErrors(problems.flat());
}

/**
 * Returns the addresses whose secrets are written to files, one group for each file. Used to refuse a group of several
 * before the first write, because one secret would overwrite the other.
 */
async function groupByFile(changes: Plan['changes'], cwd: string): Promise<Address[][]> {
  const byPath = new Map<string, Address[]>();
  for (const { address, after } of [...changes].sort(byAddress)) {
    const destination = after && externalDestination(after.meta);
    if (destination === undefined || destination === 'discard' || 'command' in destination) continue;
    const path = await resolveSecretFile(destination.file, cwd);
    if (typeof path === 'string') addTo(byPath, path, address);
  }
  return [...byPath.values()];
}
