import { describe, expect, test } from 'vitest';
import type { Change, FieldChange } from '../../src/model/change.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { shownReasonOf } from '../../src/report/change-text.ts';
import { reportedFieldsOf } from '../../src/report/field-text.ts';
import { change } from './builders.ts';

const field = (cause: FieldChange['cause']): FieldChange => ({
  path: 'note',
  before: 'a',
  after: 'b',
  cause,
});
const shown = (action: Change['action'], reason: string, causes: FieldChange['cause'][], more = {}) =>
  shownReasonOf(change(action, 'things/x', { reason, fields: causes.map(field), ...more }));

describe('the reason of a change in a report', () => {
  test('is left out if the notes of its fields say the same', () => {
    expect(shown('update', 'changed outside', ['drift'])).toEqual([]);
    expect(shown('update', 'changed here and outside', ['edit', 'conflict'])).toEqual([]);
  });

  test('is shown if no field says it, also beside drift', () => {
    const notDelivered = 'the secret shown at its creation was not delivered';
    expect(shown('replace', notDelivered, ['drift'])).toEqual([notDelivered]);
    expect(shown('replace', notDelivered, [])).toEqual([notDelivered]);
    expect(shown('update', 'another copy of it is removed', ['drift'])).toEqual([
      'another copy of it is removed',
    ]);
  });

  test('without its part that the fields say', () => {
    const note = 'its value is also in preview, which nothing here declares';
    expect(shown('update', `changed outside; ${note}`, ['drift'])).toEqual([note]);
    expect(shown('update', `changed here and outside; ${note}`, ['conflict'])).toEqual([note]);
    expect(shown('update', note, ['drift'])).toEqual([note]);
    const takenOver = 'taken over from stack web; changed outside';
    expect(shown('update', takenOver, ['drift'], { takenFrom: 'web' })).toEqual([takenOver]);
  });
});

test('the fields of a deleted object are those with a content', () => {
  const fields = { a: null, b: '', c: [], d: {}, e: false, f: 0, g: new Sealed(''), h: { x: [] } };
  const before = { fields } as unknown as Change['before'];
  const shownPaths = reportedFieldsOf(change('delete', 'things/x', { before })).map(({ path }) => path);
  expect(shownPaths).toEqual(['e', 'f', 'g', 'h']);
});
