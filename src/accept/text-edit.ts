/** A stretch of a text, by offsets, and what stands there from now on. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** A text after its edits, which must not overlap. What is put in at one place keeps its order. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: more } of inOrder(edits)) {
    if (start < at) throw new Error('two edits overlap');
    result += text.slice(at, start) + more;
    at = end;
  }
  return result + text.slice(at);
}

/** By place; what lies wholly inside of something that goes is gone with it. */
export function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  const sorted = edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.index - b.index)
    .map(({ edit }) => edit);
  const removals = sorted.filter(({ start, end, text }) => text === '' && end > start);
  return sorted.filter(
    (one) =>
      !removals.some(
        (gone) =>
          gone !== one &&
          gone.start <= one.start &&
          one.end <= gone.end &&
          (gone.end - gone.start > one.end - one.start || removals.indexOf(gone) < removals.indexOf(one)) &&
          !(one.start === one.end && (one.start === gone.start || one.start === gone.end)),
      ),
  );
}
