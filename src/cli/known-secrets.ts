import type { Configuration } from '../config/configuration.ts';
import { resolveSecrets } from '../config/resolve-secrets.ts';
import type { Sources } from '../config/sources/sources.ts';
import { standIns } from '../config/stand-ins.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Owner } from '../kind/provider.ts';
import { ledgerStore } from '../ledger/ledger-store.ts';
import type { Address } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import { emptyLedger, type Ledger } from '../model/ledger.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { PlanInput } from '../plan/input.ts';
import { paired } from '../plan/match.ts';
import { sealLive } from '../plan/note-secrets.ts';
import type { Host } from './host.ts';
import { documentsFor } from './ledger-place.ts';

interface Account {
  owner: Owner;
  baseUrl: string;
  twin: boolean;
}

/**
 * The account with everything sealed that the configuration here, or its ledger, puts a secret into: the platform gives it back
 * like any other text. Unchanged where there is none, or it is about another account. Throws `Problems` for a broken ledger.
 */
export async function sealKnown(
  live: Live,
  kinds: Kinds,
  configuration: Configuration,
  account: Account,
  host: Host,
  sources: Sources,
): Promise<Live> {
  const { owner, baseUrl, twin } = account;
  const { desired, platform } = configuration;
  if (desired.stack === '') return live;
  const held = await ledgerStore(documentsFor(desired.stack, { twin }, host), { key: undefined }).read();
  const isHeldHere = held?.owner === owner.id && held.baseUrl === baseUrl;
  const isDeclaredHere =
    platform !== undefined && ('team' in platform ? platform.team === owner.slug : owner.type === 'personal');
  if (held ? !isHeldHere : !isDeclaredHere) return live;
  const ledger = held ?? emptyLedger(baseUrl, owner.id, desired.stack);
  const { values: secrets } = twin
    ? standIns(configuration, kinds)
    : await resolveSecrets(configuration, { env: host.env, cwd: host.cwd, sources });
  const input = { desired, live, ledger, kinds, secrets, facts: owner.facts, key: undefined, now: 0 };
  const known = knownAs(input);
  let sealed: PlanInput = input;
  // An object may be known by several addresses (a row with several units): what one of them has as secret is.
  for (let round = 0; [...known.values()].some((names) => names.length > round); round++) {
    const resources: typeof desired.resources = new Map();
    const entries: Ledger['entries'] = {};
    for (const [address, names] of known) {
      const name = names[round]!;
      if (desired.resources.has(name)) resources.set(address, desired.resources.get(name)!);
      if (ledger.entries[name]) entries[address] = ledger.entries[name];
    }
    sealed = sealLive({ ...sealed, desired: { ...desired, resources }, ledger: { ...ledger, entries } });
  }
  return sealed.live;
}

/** By natural address the addresses under which the configuration and the ledger know an object: its own, by id, by what identifies it. */
function knownAs(input: PlanInput): Map<Address, Address[]> {
  const { live, ledger } = input;
  const byId = new Map<string, Address[]>();
  const note = (kind: string, ids: string[], address: Address) => {
    for (const id of ids) addTo(byId, `${kind} ${id}`, address);
  };
  for (const [address, { kind, ids }] of Object.entries(ledger.entries)) note(kind, ids, address);
  for (const { kind, ids, address } of paired(input).live.resources.values()) note(kind, ids, address);
  const namesOf = ({ address, kind, ids, alternatives = [] }: LiveResource) =>
    new Set([
      address,
      ...[...ids, ...alternatives.map(({ id }) => id)].flatMap((id) => byId.get(`${kind} ${id}`) ?? []),
    ]);
  return new Map([...live.resources].map(([address, one]) => [address, [...namesOf(one)]]));
}
