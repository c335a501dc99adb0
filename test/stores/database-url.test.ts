import { expect, test } from 'vitest';
import type { Problems } from '../../src/model/diagnostic.ts';
import { readDatabaseConnection } from '../../src/stores/postgres/connection.ts';
import { readDatabaseUrl } from '../../src/stores/store-url.ts';

const wrong = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as Problems).diagnostics.map(({ code, message, hint }) => ({
      code,
      text: `${message} ${hint}`,
    }));
  }
  return [];
};

test.each([
  ['limits', 'cli/password', 'cli/database-url'],
  ['queue', 'cli/password', 'cli/database-url'],
] as const)(
  'what is wrong with the URL of --%s is told of that option, and quotes no password',
  (use, password, url) => {
    const argument = wrong(() => readDatabaseUrl('postgres://ada:canary@db.example.com/x', true, use));
    expect(argument).toMatchObject([{ code: password, text: expect.stringContaining(`--${use} `) }]);
    const other = wrong(() => readDatabaseUrl('redis://:canary@db.example.com/x', false, use));
    expect(other).toMatchObject([{ code: url, text: expect.stringContaining(`--${use} postgres://`) }]);
    const clear = wrong(() =>
      readDatabaseConnection(
        readDatabaseUrl('postgres://:canary@db.example.com/x?sslmode=disable', false, use),
        {},
        use,
      ),
    );
    expect(clear).toMatchObject([{ code: url, text: expect.stringContaining(`the ${use}`) }]);
    expect(JSON.stringify([argument, other, clear])).not.toContain('canary');
  },
);

test('the tables of a fleet have a schema of their own', () => {
  const url = new URL('postgres://db.example.com/x');
  expect([readDatabaseConnection(url, {}).schema, readDatabaseConnection(url, {}, 'queue').schema]).toEqual([
    'trueup',
    'trueup_fleet',
  ]);
});
