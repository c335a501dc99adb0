/** A list as far as it was read. */
export interface Pages {
  /** The items so far, each once. */
  found(): unknown[];
  /** Reads the next page; may be asked once. Absent after the last one. */
  more?(): Promise<Pages>;
}

/** Reads on to the end; all items. */
export async function allPages(pages: Pages): Promise<unknown[]> {
  let last = pages;
  while (last.more) last = await last.more();
  return last.found();
}
