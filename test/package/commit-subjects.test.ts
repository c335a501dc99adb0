import { expect, it } from 'vitest';
// @ts-expect-error: the scripts of build have no types.
import { complaintsOf } from '../../build/commit-subjects.mjs';

const why = '\n\nThe old name had two meanings.';

it.each([
  [`Rename Place to SourceLocation${why}`, []],
  [`Seed the random samples${why}`, []],
  [`Rename ${'x'.repeat(66)}${why}`, ['the subject has 73 characters, more than 72']],
  [`Renamed Place${why}`, ['the subject is not imperative: "Fix", not "Fixed" or "Fixes"']],
  [`Fixes a race${why}`, ['the subject is not imperative: "Fix", not "Fixed" or "Fixes"']],
  [`Rename Place.${why}`, ['the subject ends with a full stop']],
  ['Rename Place\n', ['there is no body that says why']],
])('%j', (message, complaints) => {
  expect(complaintsOf(message)).toEqual(complaints);
});
