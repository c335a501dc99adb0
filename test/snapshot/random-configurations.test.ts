import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { everySeed } from '../support/every-seed.ts';
import { pictures } from '../support/pictures.ts';
import { samples } from '../support/samples.ts';
import { runs } from '../support/sweep.ts';
import { bodyOfParts, kindNames, type Part, secretEnv, variantsOf, yamlOf } from '../sweep/parts.ts';
import { decisionsOf, findForeignWords, planAnonymously, withoutNames } from './anonymous-plans.ts';

/** Kinds that the twin refuses alone: they need a domain that was bought. */
const refusedKinds = ['domainAutoRenew', 'domainNameservers'];

/** An object of a configuration with some of its fields. `side`: which of the two values of a field it has first. */
const randomPart = fc.record({
  kind: fc.constantFrom(...kindNames.filter((kind) => !refusedKinds.includes(kind))),
  label: fc.constantFrom('zanzibar', 'serengeti'),
  variant: fc.nat(10),
  leaves: fc.array(fc.nat(1000), { maxLength: 3 }),
  side: fc.constantFrom<0 | 1>(0, 1),
});
type RandomPart = typeof randomPart extends fc.Arbitrary<infer T> ? T : never;

/** Returns the part of a configuration before (0) or after (1) an edit, which changes its fields. */
function toPart({ kind, label, variant, leaves, side }: RandomPart, edit: 0 | 1): Part {
  const paths = Object.keys(samples[kind]!.leaves);
  const chosen = paths.length === 0 ? [] : leaves.map((number) => paths[number % paths.length]!);
  const value = edit === 0 ? side : ((1 - side) as 0 | 1);
  return {
    kind,
    label,
    variant: variant % variantsOf(kind),
    leaves: Object.fromEntries(chosen.map((leaf) => [leaf, value])),
    meta: {},
  };
}

/** Texts that prove that a snapshot names something of the account. The names of labels are in those of most objects. */
const canaries = ['zanzibar', 'serengeti', 'acme', 'canary-', 'canaryliteral'];

const flags = ['--allow', 'cost', 'remove-access', '--allow-files', '**/*.png'];

test('an anonymous snapshot names nothing of a random configuration, and a plan from it decides the same', async () => {
  const property = fc.asyncProperty(
    fc.array(randomPart, { minLength: 2, maxLength: 6 }),
    fc.nat(5),
    async (parts, removed) => {
      const shell = await new Shell().write(pictures);
      await shell.withTwin(everySeed(samples));
      shell.env = { ...shell.env, ...secretEnv, TRUEUP_ALLOW_ENV: Object.keys(secretEnv).join(',') };
      const team = 'acme';
      const write = (body: object) =>
        shell.write({
          'trueup.yaml': `stack: zanzibar\nplatform: { team: ${team} }\n${yamlOf(body as never)}`,
        });
      await write(bodyOfParts(parts.map((part) => toPart(part, 0))));
      const applied = await shell.run(['apply', '--auto-approve', '--no-canary', '--settle', '0', ...flags]);
      if (applied.status !== 0) return;
      const edited = parts.filter((_, index) => index !== removed);
      await write(bodyOfParts(edited.map((part) => toPart(part, 1))));
      // Some parts need others, or bring a file that a rule refuses.
      if ((await shell.run(['validate', ...flags.slice(-2)])).status !== 0) return;
      const { planned, again, text } = await planAnonymously(shell, flags);
      expect(withoutNames(decisionsOf(again.stdout))).toEqual(withoutNames(decisionsOf(planned.stdout)));
      expect(await findForeignWords(text)).toEqual([]);
      for (const canary of canaries) expect(text.toLowerCase()).not.toContain(canary);
    },
  );
  await fc.assert(property, { numRuns: runs(80) });
});
