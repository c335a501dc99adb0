import type { Plan } from '../model/plan.ts';
import { cleanLine } from './clean.ts';

/** Whose account it is, and where: `team acme`, `team acme at http://127.0.0.1:4000`. None where that is not known. */
export function accountText({ account }: Pick<Plan, 'account'>): string[] {
  if (!account) return [];
  const { type, name, baseUrl } = account;
  const place = baseUrl === undefined ? '' : baseUrl === twin ? ' on the embedded twin' : ` at ${baseUrl}`;
  return [cleanLine(`${type === 'team' ? 'team' : 'personal account'} ${name}${place}`)];
}

/** What the ledger calls the embedded twin, whose address differs each time. */
const twin = 'twin:';
