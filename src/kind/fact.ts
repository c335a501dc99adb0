/** How well a fact about the platform is supported, strongest first: by its documentation, by measurements of others, by the code of its clients, by inference. */
export type Confidence = 'documented' | 'measured' | 'read' | 'inferred';

/** What one answer shows about a fact; undefined if it shows nothing. */
export type FactVerdict = 'confirmed' | 'contradicted' | undefined;

/** An answer of the platform to a read, as checks of facts see it. */
export interface ObservedAnswer {
  /** Method and path as in the API catalog, such as `GET /v1/env`. */
  operation: string;
  /** The query parameters that were sent. */
  query: Readonly<Record<string, string>>;
  status: number;
  /** Headers by their names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined if it was not JSON. */
  body: unknown;
}

/** A sourced statement about the platform that kinds, twin and `trueup doctor` rely on. */
export interface Fact {
  /** A stable name, such as `PF19`, which reports of `trueup doctor` use. */
  id: string;
  /** The heading under which facts are listed. */
  area: string;
  /** One or two sentences in plain words. */
  statement: string;
  /** Where it was found: issues of repositories, files of clients, titles of documentation pages. */
  source: string;
  confidence: Confidence;
  /** The kinds whose behaviour depends on it. */
  kinds: readonly string[];
  /** The operations it is about, as in the API catalog: `PATCH /v9/projects/{idOrName}`. */
  operations: readonly string[];
  /** Judges an answer to one of its operations. Absent if no read shows whether the fact holds. */
  answer?(observed: ObservedAnswer): FactVerdict;
}
