// What begin.js leaves to the modules.

/** The words of a language, by their keys. */
type Catalogue = Map<string, string>;

interface Begun {
  languages: Record<string, string>;
  language: string;
  catalogue: Promise<Catalogue>;
  load: (code: string) => Promise<Catalogue>;
  words: (name: string) => Promise<[string, string][]>;
  connect: (listener: (event: Event) => void) => WebSocket;
}

interface Window {
  begun: Begun;
}
