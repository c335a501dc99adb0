import { expect, it } from 'vitest';
import { compareWithShape } from '../../src/doctor/examine-answers.ts';
import { isRequiredAt } from '../../src/doctor/shown-names.ts';
import type { AnswerShape } from '../../src/kind/evidence.ts';

const shape: AnswerShape = {
  projects: [
    { id: 's', 'name?': 's', 'link?': [{ type: 's' }, '0'], 'env?': { '*': { value: 'sn' } }, 'free?': '?' },
  ],
  'gitComments?': { onCommit: 'b' },
};
const shownNames = new Set(['gitLink']);
const differences = (answer: unknown, form: AnswerShape = shape) =>
  compareWithShape(answer, form, shownNames).map(({ path, problem, got, expected }) =>
    [problem, path, got, expected && `for ${expected}`].filter(Boolean).join(' '),
  );
const project = { id: 'a' };

it.each<[string, unknown, string[]]>([
  ['the published form', { projects: [{ ...project, name: 'x', link: null, free: { any: [1] } }] }, []],
  ['a list without items', { projects: [] }, []],
  ['a missing member', { projects: [{}] }, ['missing projects[].id']],
  ['another type', { projects: [{ id: 1 }] }, ['type projects[].id number for text']],
  ['null for a text', { projects: [{ id: null }] }, ['type projects[].id null for text']],
  ['an object for a list', { projects: {} }, ['type projects object for list']],
  [
    'a text for an object or null',
    { projects: [{ ...project, link: 'x' }] },
    ['type projects[].link text for object or null'],
  ],
  ['a list for the answer', [], ['type list for object']],
  ['the same difference in many items', { projects: [{}, {}, {}] }, ['missing projects[].id']],
  [
    'an unpublished member that this project knows',
    { projects: [{ ...project, gitLink: {} }] },
    ['unknown projects[].gitLink object'],
  ],
  [
    'a member with the name of a published one elsewhere',
    { projects: [{ ...project, value: 1, onCommit: 1 }] },
    ['unknown projects[].* number'],
  ],
  [
    'another unpublished member',
    { projects: [{ ...project, acmeLink: 1 }] },
    ['unknown projects[].* number'],
  ],
  [
    'a name like a secret',
    { projects: [{ ...project, link1: 1, a1B2: 1 }] },
    ['unknown projects[].* number'],
  ],
  ['a name like a variable', { projects: [{ ...project, GIT_LINK: 1 }] }, ['unknown projects[].* number']],
  [
    'keys of a map',
    { projects: [{ ...project, env: { SECRET: { value: true }, OTHER: {} } }] },
    ['type projects[].env.*.value boolean for text or number', 'missing projects[].env.*.value'],
  ],
])('compares an answer with its published form: %s', (_, answer, expected) => {
  expect(differences(answer)).toEqual(expected);
});

it('knows which members the published form of an answer requires', () => {
  const shape = { projects: [{ id: 's', 'link?': { type: 's' }, env: { '*': 's' } }] };
  expect(isRequiredAt(shape, 'projects[].id')).toBe(true);
  for (const path of ['projects[].link', 'projects[].link.type', 'projects[].env.A', 'projects.id', 'other'])
    expect(isRequiredAt(shape, path)).toBe(false);
  expect(isRequiredAt(undefined, 'id')).toBe(false);
});
