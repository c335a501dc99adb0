import { expect, it } from 'vitest';
import { splitCountedChanges } from '../../src/report/counted-changes.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { planText } from '../../src/report/plan-text.ts';
import { change, plainStyle, planOf } from './builders.ts';

const none = { sentAddresses: new Set<string>() };

it('adoptions without details are a number by kind', () => {
  const changes = ['at', 'de', 'fi', 'fr', 'it'].map((site) => change('adopt', `projects/${site}`));
  const { counted, otherChanges } = splitCountedChanges(
    [...changes, change('adopt', 'things/x', { reason: 'done by an interrupted run' })],
    { sentAddresses: new Set(['projects/at']) },
  );
  expect(counted).toMatchObject([{ number: 4, text: '4 things adopted as they are' }]);
  expect(otherChanges.map(({ address }) => address)).toEqual(['projects/at', 'things/x']);
});

/** The changes of six sites with 17 objects each that change their stack. */
const handedOver = (action: 'adopt' | 'release' | 'forget', more: object) =>
  ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((site) => [
    change(action, `projects/${site}`, { kind: 'project', ...more }),
    ...Array.from({ length: 13 }, (_, n) =>
      change(action, `projects/${site}/env/V${n}`, { kind: 'projectEnvVar', ...more }),
    ),
    change(action, `projects/${site}/firewall`, { kind: 'firewall', ...more }),
    change(action, `projects/${site}/domains/x.acme.com`, { kind: 'projectDomain', ...more }),
    change(action, `projects/${site}/domains/y.acme.com`, { kind: 'projectDomain', ...more }),
  ]);

it.each([
  ['release', { reason: 'handed over to the stack b', handover: 'b' }, '. '],
  ['forget', { reason: 'handed over to the stack b' }, '. '],
  ['adopt', { reason: 'taken over from stack a', takenFrom: 'a' }, '= '],
] as const)('a handover is one line for each container: %s', (action, more, sign) => {
  const changes = handedOver(action, more);
  const text = `and 16 objects in it (13 projectEnvVars, 2 projectDomains, 1 firewall): ${more.reason}`;
  const { counted, otherChanges } = splitCountedChanges(changes, none);
  expect(counted).toHaveLength(6);
  expect(counted[0]).toEqual({
    action: action === 'adopt' ? action : 'release',
    number: 17,
    address: 'projects/a',
    text,
  });
  expect(otherChanges).toEqual([]);
  const plan = planOf({ changes });
  const style = { ...plainStyle, prose: Number.POSITIVE_INFINITY };
  const lines = planText(plan, { style, requests: false }).split('\n');
  expect(lines).toContain(`  ${sign}  projects/f ${text}`);
  expect(lines.length).toBeLessThan(20);
  expect(planText(plan, { style, requests: false, verbose: true }).split('\n').length).toBeGreaterThan(100);
  expect(planMarkdown(plan)).toContain(`- \`${sign.trim()}\` \`projects/f\` ${text}\n`);
  expect(planHtml(plan)).toContain(`<p class="adopted">projects/f ${text}</p>`);
});

it('changes that a reader must see are not folded', () => {
  const reason = 'handed over to the stack b';
  const dangerous = [
    change('release', 'projects/a/env/A', { reason, grade: 'disruptive' }),
    change('release', 'projects/a/env/B', { reason, outside: true }),
    change('delete', 'projects/a/env/C', { reason }),
    change('adopt', 'projects/a/env/D', {
      takenFrom: 'a',
      reason,
      fields: [{ path: 'x', after: 1, cause: 'edit' }],
    }),
  ];
  const others = ['E', 'F', 'G'].map((name) => change('release', `projects/a/env/${name}`, { reason }));
  const { counted, otherChanges } = splitCountedChanges([...dangerous, ...others], none);
  expect(otherChanges).toEqual(dangerous);
  expect(counted).toMatchObject([{ address: 'projects/a', text: `with 3 objects (3 things): ${reason}` }]);
  expect(splitCountedChanges(others.slice(0, 2), none).counted).toEqual([]);
});
