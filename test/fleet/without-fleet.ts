import { node22, withoutNode22 } from '../support/node22.ts';
import { postgresPrograms, withoutPostgres } from '../support/postgres.ts';

/** Why nothing of a fleet can be tried here; undefined where it can. */
export const withoutFleet: string | undefined =
  postgresPrograms() === undefined ? withoutPostgres : node22() === undefined ? withoutNode22 : undefined;
