import * as z from 'zod';
import type { OtherText } from '../../ledger/other-ledgers.ts';
import { httpProblem } from './http-error.ts';
import type { HttpPlace } from './http-place.ts';
import { documentText, parsed, stackDocument } from './stack-document.ts';
import type { StateServer } from './state-server.ts';

/** A second document, which lists the addresses of all ledgers: the protocol itself cannot list anything. */
export interface LedgerIndex {
  /** Makes sure that an address is listed. */
  add(address: string): Promise<void>;
  drop(address: string): Promise<void>;
  /** The ledgers that are listed, without this one. */
  others(address: string): Promise<OtherText[]>;
}

const schema = z.looseObject({ trueup: z.literal(1), serial: z.number(), ledgers: z.array(z.string()) });

/** `open` gives access to an address of the same server. */
export function ledgerIndex(
  place: HttpPlace,
  server: StateServer,
  open: (address: string) => { place: HttpPlace; server: StateServer },
): LedgerIndex {
  const listIn = (text: string | undefined) =>
    text === undefined
      ? { trueup: 1 as const, serial: 0, ledgers: [] }
      : parsed(text, place, (json) => schema.safeParse(json).data);
  const change = async (isNeeded: (ledgers: string[]) => boolean, next: (ledgers: string[]) => string[]) => {
    if (!isNeeded(listIn(await server.get()).ledgers)) return;
    await server.locked(async ({ get, put, requireExclusive }) => {
      const text = await get();
      if (text === undefined) await requireExclusive();
      const list = listIn(text);
      if (isNeeded(list.ledgers))
        await put(documentText({ ...list, serial: list.serial + 1, ledgers: next(list.ledgers).sort() }));
    });
  };
  return {
    add: (address) =>
      change(
        (ledgers) => !ledgers.includes(address),
        (ledgers) => [...ledgers, address],
      ),
    drop: (address) =>
      change(
        (ledgers) => ledgers.includes(address),
        (ledgers) => ledgers.filter((one) => one !== address),
      ),
    others: async (address) => {
      const { ledgers } = listIn(await server.get());
      const listed = ledgers.filter((one) => one !== address);
      // Credentials go nowhere else, whoever wrote the list.
      const strange = listed.find((one) => !URL.canParse(one) || new URL(one).origin !== place.url.origin);
      if (strange !== undefined)
        throw httpProblem(
          place,
          'ledger/http-content',
          'this index of ledgers names one at another server, which is not asked',
          'take it out of the index: what that stack owns is not known, so nothing is planned',
        );
      const found = await Promise.all(
        listed.map(async (one): Promise<OtherText | undefined> => {
          const other = open(one);
          const text = await other.server.get();
          const ledger = text === undefined ? undefined : stackDocument(text, other.place).ledger;
          return ledger === undefined ? undefined : { place: other.place.shown, text: ledger };
        }),
      );
      return found.filter((one) => one !== undefined);
    },
  };
}
