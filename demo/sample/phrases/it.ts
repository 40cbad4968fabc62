import type { Phrases } from '../phrases.ts'

export const it: Phrases = {
  titles: {
    good: [
      '{place}: da non perdere',
      'Il momento più bello del viaggio',
      'Prendetevi tempo',
      'Ci torneremo',
      'Oltre le aspettative',
      'Un pomeriggio splendido',
    ],
    mixed: ['Bello, ma con qualche riserva', '{place}: bello ma affollato', 'Così così', 'Da vedere una volta'],
    bad: ['Una delusione', '{place}: non ci siamo', 'Troppa gente e poca cura', 'Mi aspettavo di più'],
  },
  openers: {
    good: [
      'Ci siamo rimasti {hours} ore e il tempo è volato.',
      'Lo sognavo da anni e non mi ha deluso.',
      'Una delle visite più belle di tutta la vacanza.',
      'Era la mia seconda visita e mi è piaciuta ancora più della prima.',
      'Un posto meraviglioso.',
    ],
    mixed: [
      'Ci sono molte cose belle e alcune da migliorare.',
      'Sono arrivata con grandi speranze e sono uscita con sentimenti contrastanti.',
      'Una visita discreta, anche se non tutto è andato bene.',
    ],
    bad: [
      'Purtroppo la visita non è andata bene.',
      'Dopo tutto quello che avevamo letto, che delusione.',
      "Siamo andati via dopo meno di un'ora.",
    ],
  },
  closers: {
    good: [
      'Consigliatissimo.',
      'Ci torneremo al prossimo viaggio.',
      'Calcolate almeno {hours} ore.',
      'Se avete tempo per una cosa sola, scegliete questa.',
    ],
    mixed: [
      'Da vedere, ma senza aspettarsi troppo.',
      'Fuori stagione sarà più piacevole.',
      'Meglio andarci in settimana.',
    ],
    bad: [
      'Non ci tornerei.',
      'Ci sono modi migliori per passare un pomeriggio.',
      'Peccato, il posto meriterebbe altro.',
    ],
  },
  trips: {
    FAMILY: [
      'Eravamo con i bambini, il più piccolo ha {age} anni.',
      'È venuta tutta la famiglia, nonni compresi.',
      'Nostro figlio di {age} anni ne parla ancora.',
    ],
    COUPLES: ['Ci siamo andati in coppia per il nostro anniversario.', 'Eravamo solo noi due, senza programmi.'],
    FRIENDS: ['Un gruppo di amici con gusti molto diversi.', 'Eravamo quattro amici per un fine settimana lungo.'],
    SOLO: ['Viaggiavo da solo e ho potuto fare con calma.', 'Ci sono andata per conto mio, con un taccuino.'],
    BUSINESS: ['Avevo un pomeriggio libero tra due riunioni.', 'Una pausa dopo un convegno in zona.'],
  },
  aspects: {
    collection: {
      good: [
        'La collezione è straordinaria e ben ordinata.',
        'Già solo la mostra temporanea vale la visita.',
        'In ogni sala c’è qualcosa che ti fa fermare.',
        'Vedere le opere dal vivo emoziona.',
      ],
      bad: [
        'Diverse sale erano chiuse e i pezzi migliori in prestito.',
        'Le didascalie sono minuscole e spiegano ben poco.',
      ],
    },
    building: {
      good: [
        'L’architettura è splendida, dentro e fuori.',
        'Alzate gli occhi: i soffitti e i dettagli sono notevoli.',
        'Il restauro è stato fatto con grande cura.',
      ],
      bad: ['Mezza facciata era coperta dai ponteggi.', "L'edificio avrebbe bisogno di lavori e si vede."],
    },
    nature: {
      good: [
        'Gli alberi e le aiuole erano al loro meglio.',
        'Tanta ombra, panchine e vialetti tranquilli.',
        'Un angolo verde per riposare e leggere.',
      ],
      bad: ["L'erba era secca e molti sentieri chiusi.", 'Con quel caldo non c’era quasi ombra.'],
    },
    animals: {
      good: [
        'Gli animali sembrano ben curati e hanno spazio.',
        'Il pasto di mezzogiorno è stato il momento più bello.',
        'Nel tunnel sottomarino siamo rimasti incantati.',
      ],
      bad: ['Alcuni recinti sembrano piccoli e vuoti.', 'Quasi tutti gli animali dormivano o non si vedevano.'],
    },
    view: {
      good: [
        'La vista sulla città al tramonto è indimenticabile.',
        'Dall’alto lo sguardo arriva lontanissimo.',
        'Portate la macchina fotografica, il panorama è magnifico in ogni direzione.',
      ],
      bad: ['La vista era coperta da reti e transenne.', 'Con la foschia non si vede quasi niente.'],
    },
    queue: {
      good: [
        'Siamo entrati in {few} minuti.',
        'Con il biglietto preso online nessuna fila.',
        'La mattina presto era quasi tutto per noi.',
      ],
      bad: [
        'Abbiamo fatto {many} minuti di coda pur avendo prenotato.',
        "La fila all'ingresso era lunga e mal gestita.",
      ],
    },
    guide: {
      good: [
        'La guida era simpatica, paziente e sapeva tutto.',
        "L'audioguida è ottima e disponibile in molte lingue.",
        'Con la visita guidata gratuita abbiamo capito molto di più.',
      ],
      bad: ['La guida andava di fretta e si sentiva male.', "L'audioguida si bloccava di continuo."],
    },
    family: {
      good: [
        'La caccia al tesoro ha tenuto occupati i bambini per tutta la visita.',
        'Ottimo con i bambini: tanto da toccare e provare.',
        'Con il passeggino si gira bene e c’è un buon posto per la merenda.',
      ],
      bad: ['C’è poco per i più piccoli, i nostri si sono annoiati.', 'Con il passeggino è scomodo.'],
    },
    romantic: {
      good: [
        'Con la luce della sera è un posto molto romantico.',
        'Perfetto per una passeggiata mano nella mano.',
        'Siamo rimasti finché non si sono accese le luci, una magia.',
      ],
      bad: [
        'Speravamo in una serata romantica e abbiamo trovato gli altoparlanti.',
        'Nemmeno un angolo tranquillo per due.',
      ],
    },
    rain: {
      good: [
        'L’ideale in un giorno di pioggia.',
        'Fuori diluviava e non ce ne siamo accorti.',
        'Un buon rifugio con il brutto tempo, con un caffè accogliente.',
      ],
      bad: [
        'Quando piove tutti hanno la stessa idea e non si respira.',
        'Il guardaroba era pieno di ombrelli bagnati.',
      ],
    },
    price: {
      good: [
        'Ottimo rapporto qualità-prezzo.',
        'Il biglietto cumulativo è un affare.',
        'In certe sere è gratis, meglio informarsi prima.',
      ],
      bad: ['Il biglietto è troppo caro per quello che offre.', 'Si paga tutto a parte, perfino la mappa.'],
    },
    access: {
      good: [
        'Ascensori e rampe ovunque, comodo in sedia a rotelle.',
        "Nessun gradino dall'ingresso all'ultima sala.",
        'Hanno aiutato mia madre, che cammina a fatica, senza bisogno di chiedere.',
      ],
      bad: ["L'ascensore era guasto e ci sono molte scale.", 'Difficile in sedia a rotelle, tra ciottoli e gradini.'],
    },
    clean: {
      good: ['Pulitissimo, bagni compresi.', 'Tutto in ordine e ben tenuto.', 'Si vede che è curato.'],
      bad: ['I bagni erano sporchi.', 'A mezzogiorno i cestini traboccavano.'],
    },
    staff: {
      good: [
        'Il personale è gentile e risponde volentieri alle domande.',
        'Una custode ci ha indicato dettagli che avremmo perso.',
        'Accoglienza cordiale alla cassa.',
      ],
      bad: ["Il personale all'ingresso è stato scortese.", 'Nessuno sapeva quale biglietto ci servisse.'],
    },
    atmosphere: {
      good: ['Tranquillo e pieno di fascino.', 'C’è un silenzio speciale.', 'Vivace senza essere affollato.'],
      bad: ['Troppa folla per godersi qualcosa.', 'Rumore continuo di grandi gruppi.'],
    },
    location: {
      good: [
        'Si raggiunge facilmente in metropolitana ed è vicino ad altri monumenti.',
        'Anche il quartiere intorno merita una passeggiata.',
        'A pochi minuti a piedi dal centro.',
      ],
      bad: [
        'Difficile da trovare e lontano dai mezzi pubblici.',
        'Dalla stazione si cammina lungo una strada trafficata.',
      ],
    },
  },
  replies: {
    good: [
      'Grazie per le belle parole, speriamo di rivedervi presto.',
      'Siamo felici che la visita vi sia piaciuta. Alla prossima!',
    ],
    bad: [
      'Grazie per la franchezza. Ci dispiace e abbiamo riferito tutto al personale.',
      'Ci dispiace che la visita non sia stata all’altezza; stiamo lavorando sui tempi di attesa.',
    ],
  },
  note: '(recensione di esempio generata)',
  replyNote: '(risposta di esempio generata)',
  gap: ' ',
}
