/*
 * The form of a saved account. The author of a pull request can write such a file and use it as the seed of a test, so everything that each
 * answer relies on is checked before the twin starts: the owners, the clock, and that each table is a list.
 */
import * as z from 'zod';
import { emptyAccount, emptyProject } from './tables.ts';
import { describeIssue } from './validate.ts';

const savedTextForm = z.string();
const objectForm = z.looseObject({});
/** The rows of a table are objects, or ids of objects. */
const rowsForm = z.array(z.union([objectForm, savedTextForm]));
/** The last time that JavaScript knows. */
const lastKnownTime = 8.64e15;

/** Returns the forms of tables: a list or an object, as in an empty account. An earlier version did not have all of them. */
const tableForms = (emptyTables: object): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(emptyTables).flatMap(([name, table]): [string, z.ZodType][] => {
      if (Array.isArray(table)) return [[name, rowsForm.optional()]];
      return typeof table === 'object' && table !== null ? [[name, objectForm.optional()]] : [];
    }),
  );

const createSavedForm = () =>
  z.looseObject({
    ...tableForms(emptyAccount()),
    user: z.looseObject({ id: savedTextForm, username: savedTextForm, email: savedTextForm }),
    teams: z.array(z.looseObject({ id: savedTextForm, slug: savedTextForm, name: savedTextForm })),
    projects: z.array(
      z.looseObject({
        ...tableForms(emptyProject()),
        id: savedTextForm,
        name: savedTextForm,
        accountId: savedTextForm,
      }),
    ),
    made: z.int().min(0),
    lastTime: z.number().min(0).max(lastKnownTime),
  });

/** Returns one sentence for each place at which content is not in the form of a saved account. */
export function findSavedFaults(content: unknown): string[] {
  const result = createSavedForm().safeParse(content);
  return (result.error?.issues ?? []).map((issue) => describeIssue(issue, content));
}
