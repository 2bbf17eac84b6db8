// What begin.js leaves to the modules.

interface Begun {
  languages: Record<string, string>;
  language: string;
  catalogue: Promise<Map<string, string>>;
  load: (code: string) => Promise<Map<string, string>>;
  words: (name: string) => Promise<[string, string][]>;
  connect: (listener: (event: Event) => void) => WebSocket;
}

interface Window {
  begun: Begun;
}
