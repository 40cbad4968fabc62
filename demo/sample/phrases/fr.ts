import type { Phrases } from '../phrases.ts'

export const fr: Phrases = {
  titles: {
    good: [
      '{place} : à ne pas manquer',
      'Le point fort du séjour',
      'Prenez votre temps',
      'Nous reviendrons',
      'Au-delà de nos attentes',
      'Un très bel après-midi',
    ],
    mixed: ['Bien, mais avec des réserves', '{place} : joli mais bondé', 'Mitigé', 'À voir une fois'],
    bad: [
      'Décevant',
      '{place} : à éviter le week-end',
      "Trop de monde, pas assez d'attention",
      'Nous attendions mieux',
    ],
  },
  openers: {
    good: [
      'Nous y avons passé {hours} heures sans voir le temps passer.',
      "J'en rêvais depuis des années et je n'ai pas été déçu.",
      'Une des plus belles visites de nos vacances.',
      "C'était ma deuxième visite et je l'ai encore plus appréciée que la première.",
      'Un lieu magnifique.',
    ],
    mixed: [
      'Beaucoup de bonnes choses, et quelques points à améliorer.',
      'Je suis venue avec de grands espoirs et repartie partagée.',
      "Une visite correcte, même si tout ne s'est pas passé comme prévu.",
    ],
    bad: [
      "Malheureusement, la visite ne s'est pas bien passée.",
      'Après tout ce que nous avions lu, quelle déception.',
      "Nous sommes repartis au bout d'une heure à peine.",
    ],
  },
  closers: {
    good: [
      'Je recommande vivement.',
      'Nous y retournerons au prochain voyage.',
      'Prévoyez au moins {hours} heures.',
      "Si vous n'avez le temps que pour une seule visite, choisissez celle-ci.",
    ],
    mixed: [
      'À voir, sans en attendre trop.',
      'Hors saison, ce doit être plus agréable.',
      'Mieux vaut y aller en semaine.',
    ],
    bad: ["Je n'y retournerai pas.", 'Il y a mieux à faire de son après-midi.', 'Dommage, le lieu mérite mieux.'],
  },
  trips: {
    FAMILY: [
      'Nous étions avec les enfants, le plus jeune a {age} ans.',
      'Toute la famille était là, grands-parents compris.',
      'Notre fille de {age} ans en parle encore.',
    ],
    COUPLES: ['Une sortie en amoureux pour notre anniversaire.', 'Nous étions tous les deux, sans programme précis.'],
    FRIENDS: ["Un groupe d'amis aux goûts très différents.", 'Nous étions quatre amis pour un long week-end.'],
    SOLO: ["Je voyageais en solo et j'ai pu prendre mon temps.", "J'y suis allé tout seul, un carnet à la main."],
    BUSINESS: ["J'avais un après-midi libre entre deux réunions.", 'Une pause bienvenue après un congrès.'],
  },
  aspects: {
    collection: {
      good: [
        'La collection est exceptionnelle et très bien présentée.',
        "L'exposition temporaire vaut à elle seule le déplacement.",
        'Dans chaque salle, quelque chose retient le regard.',
        'Voir ces œuvres de près est émouvant.',
      ],
      bad: [
        'Plusieurs salles étaient fermées et les plus belles pièces en prêt.',
        "Les cartels sont minuscules et n'expliquent presque rien.",
      ],
    },
    building: {
      good: [
        "L'architecture est superbe, dedans comme dehors.",
        'Levez les yeux : les plafonds et les détails sont remarquables.',
        'La restauration a été menée avec grand soin.',
      ],
      bad: ['La moitié de la façade était sous les échafaudages.', 'Le bâtiment a besoin de travaux et cela se voit.'],
    },
    nature: {
      good: [
        'Les arbres et les massifs étaient splendides.',
        "Beaucoup d'ombre, des bancs et des allées tranquilles.",
        'Un coin de verdure pour se reposer et lire un peu.',
      ],
      bad: ['Les pelouses étaient sèches et plusieurs allées fermées.', "Presque pas d'ombre par cette chaleur."],
    },
    animals: {
      good: [
        "Les animaux ont l'air bien soignés et ont de la place.",
        'Le repas des animaux à midi est le meilleur moment.',
        'Nous sommes restés longtemps dans le tunnel sous-marin.',
      ],
      bad: ['Certains enclos semblent petits et vides.', 'La plupart des animaux dormaient ou étaient invisibles.'],
    },
    view: {
      good: [
        'La vue sur la ville au coucher du soleil est inoubliable.',
        "D'en haut, on voit à des kilomètres.",
        'Prenez un appareil photo, la vue est superbe de tous les côtés.',
      ],
      bad: ['La vue était cachée par des filets et des palissades.', 'Par temps brumeux, on ne voit presque rien.'],
    },
    queue: {
      good: [
        'Nous sommes entrés en {few} minutes.',
        "Avec un billet pris en ligne, aucune file d'attente.",
        'Tôt le matin, nous étions presque seuls.',
      ],
      bad: [
        "{many} minutes d'attente malgré un créneau réservé.",
        "La file à l'entrée était longue et très mal organisée.",
      ],
    },
    guide: {
      good: [
        'Notre guide était drôle, patiente et passionnante.',
        "L'audioguide est excellent et disponible en plusieurs langues.",
        'La visite guidée gratuite nous a beaucoup appris.',
      ],
      bad: ["Le guide allait trop vite et on l'entendait mal.", "L'audioguide se bloquait sans arrêt."],
    },
    family: {
      good: [
        'Le jeu de piste a occupé les enfants pendant toute la visite.',
        'Parfait avec des enfants : il y a beaucoup à toucher et à essayer.',
        'On passe partout avec une poussette et il y a un bon endroit pour le goûter.',
      ],
      bad: ['Peu de choses pour les petits, les nôtres se sont ennuyés.', 'Compliqué avec une poussette.'],
    },
    romantic: {
      good: [
        "Dans la lumière du soir, c'est un endroit très romantique.",
        'Idéal pour une promenade à deux, main dans la main.',
        "Nous sommes restés jusqu'à ce que les lampes s'allument, c'était magique.",
      ],
      bad: [
        'Nous espérions une soirée romantique, nous avons eu des haut-parleurs.',
        'Aucun coin tranquille pour deux.',
      ],
    },
    rain: {
      good: [
        'La sortie idéale un jour de pluie.',
        "Il pleuvait des cordes et nous ne l'avons même pas remarqué.",
        'Un bon refuge par mauvais temps, avec un café chaleureux.',
      ],
      bad: [
        'Les jours de pluie, tout le monde a la même idée et on étouffe.',
        'Le vestiaire débordait de parapluies mouillés.',
      ],
    },
    price: {
      good: [
        'Très bon rapport qualité-prix.',
        'Le billet combiné est une bonne affaire.',
        'Gratuit certains soirs, renseignez-vous avant de venir.',
      ],
      bad: ["L'entrée est trop chère pour ce qui est proposé.", 'Tout est en supplément, même le plan.'],
    },
    access: {
      good: [
        'Des ascenseurs et des rampes partout, facile en fauteuil roulant.',
        "Aucune marche de l'entrée à la dernière salle.",
        "Le personnel a aidé ma mère, qui marche difficilement, sans qu'on le demande.",
      ],
      bad: [
        "L'ascenseur était en panne et il y a beaucoup d'escaliers.",
        'Difficile en fauteuil roulant : pavés et marches.',
      ],
    },
    clean: {
      good: [
        "D'une propreté impeccable, toilettes comprises.",
        'Tout était bien rangé et bien entretenu.',
        'On sent que le lieu est soigné.',
      ],
      bad: ['Les toilettes étaient sales.', 'Les poubelles débordaient dès midi.'],
    },
    staff: {
      good: [
        'Le personnel est aimable et répond volontiers aux questions.',
        'Une gardienne nous a montré des détails que nous aurions manqués.',
        'Un accueil chaleureux à la billetterie.',
      ],
      bad: ["Le personnel à l'entrée était désagréable.", 'Personne ne savait quel billet il nous fallait.'],
    },
    atmosphere: {
      good: ['Un endroit calme et plein de charme.', 'Il y règne un silence particulier.', 'Vivant sans être bondé.'],
      bad: ['Beaucoup trop de monde pour en profiter.', 'Un bruit continu à cause des grands groupes.'],
    },
    location: {
      good: [
        "Facile d'accès en métro et proche d'autres monuments.",
        'Le quartier alentour mérite aussi une promenade.',
        'À quelques minutes à pied du centre.',
      ],
      bad: [
        'Difficile à trouver et loin des transports.',
        "Depuis la gare, on marche le long d'une route très passante.",
      ],
    },
  },
  replies: {
    good: [
      'Merci pour ces mots aimables, nous espérons vous revoir bientôt.',
      'Nous sommes ravis que la visite vous ait plu. À bientôt !',
    ],
    bad: [
      "Merci pour votre franchise. Nous sommes désolés et avons transmis vos remarques à l'équipe.",
      "Nous regrettons que votre visite n'ait pas été à la hauteur et travaillons sur les temps d'attente.",
    ],
  },
  note: "(avis d'exemple généré)",
  replyNote: "(réponse d'exemple générée)",
  gap: ' ',
}
